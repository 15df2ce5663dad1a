// One socket; desks are child processes of the server that work for this page.
let socket, ready, next = 1;
const desks = new Map();
let told = () => {};

export function onTrouble(tell) { told = tell; }

function connect() {
  const address = new URL("socket", document.baseURI);
  address.protocol = "ws:";
  socket = new WebSocket(address);
  ready = new Promise((done) => { socket.onopen = () => { told(""); done(); }; });
  socket.onmessage = (event) => {
    const letter = JSON.parse(event.data);
    const desk = desks.get(letter.desk);
    if (desk) desk.hear(letter.say);
    else if (letter.say.error) told(letter.say.error);
  };
  socket.onclose = (event) => {
    for (const desk of desks.values()) desk.hear({ error: "the connection to paidia was lost", gone: true });
    desks.clear();
    told(event.code === 1013 ? "too many pages are open" : "the connection to paidia was lost; is it still running?");
    setTimeout(connect, 2000);
  };
}
connect();

export class Desk {
  constructor(kind, letter, hear) {
    this.id = next++;
    this.hear = hear;
    desks.set(this.id, this);
    this.tell({ do: "open", kind, ...letter });
  }
  tell(letter) { ready.then(() => socket.send(JSON.stringify({ desk: this.id, ...letter }))); }
  close() {
    if (desks.delete(this.id) && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ desk: this.id, do: "close" }));
  }
}
