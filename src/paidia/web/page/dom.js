// Nodes are built one by one; text is always text, never markup.
const SVG = "http://www.w3.org/2000/svg";

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  put(node, props);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function s(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  put(node, props);
  node.append(...children.flat().filter(Boolean));
  return node;
}

function put(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && !(node instanceof SVGElement) && name !== "list" && name !== "role") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

export function field(label, input, note) {
  return h("label", {}, label, input, note ? h("small", {}, note) : null);
}

export function options(select, values, chosen) {
  select.replaceChildren(...values.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  return select;
}

export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "";
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(digits);
}

export function tabs(parts, onchange) {
  const bar = h("div", { className: "tabs", role: "tablist" });
  const buttons = {};
  const show = (id) => {
    for (const [name, button] of Object.entries(buttons)) {
      button.setAttribute("aria-selected", String(name === id));
      parts[name].node.hidden = name !== id;
    }
    onchange?.(id);
  };
  for (const [id, part] of Object.entries(parts)) {
    buttons[id] = h("button", { type: "button", role: "tab", onclick: () => show(id) }, part.title);
    bar.append(buttons[id]);
  }
  return { bar, show, buttons };
}
