# A step of a state: what a joint move changes, and what follows from it through gates and loops. Part of kernel.pyx.

cdef void step(NetState state, const move_t* joint) noexcept nogil:
    cdef const Effects* effects = state.table.find(joint)
    if state.stamp == NULL and not need_scratch(state):
        return
    spread(state, collect(state, effects) if effects != NULL else collect_all(state, joint))
    if state.t.n_loop_groups:
        settle_loops(state)
    state.listed = 0
    state.now += 1
    state.look()
    if state.failed:
        state.over = True


cdef bint need_scratch(NetState state) noexcept nogil:
    cdef int32_t n = state.t.n_nodes - state.t.n_known + 1
    state.queue = <int32_t*>malloc((<size_t>state.queue_mask + 1) * sizeof(int32_t))
    state.memo = <uint8_t*>malloc(n)
    state.stamp = <uint32_t*>calloc(n, sizeof(uint32_t))
    if state.queue == NULL or state.memo == NULL or state.stamp == NULL:
        free(state.queue)
        free(state.memo)
        free(state.stamp)
        state.queue = NULL
        state.memo = NULL
        state.stamp = NULL
        give_up(state)
        return False
    return True


cdef void give_up(NetState state) noexcept nogil:
    """There is no memory to go on with: the game is over here, and the search says why."""
    state.over = True
    with gil:
        state.fail(MemoryError(f"no memory to play {state.game.id}"))


cdef uint32_t collect_all(NetState state, const move_t* joint) noexcept nogil:
    """The same without effects: evaluate the next value of every fluent."""
    cdef const Tables* t = state.t
    cdef uint32_t n = 0
    cdef int32_t i, at
    for i in range(t.n_roles):
        at = t.does[t.first_move[i] + joint[i]] - t.n_known
        state.memo[at] = 1
        state.stamp[at] = state.now
    for i in range(t.n_changing):
        at = t.changing[2 * i]
        state.queue[n] = at
        n += state.holds(t.changing[2 * i + 1]) != state.value[at]
    return collect_due(state, n)


cdef inline uint32_t collect_due(NetState state, uint32_t n) noexcept nogil:
    """The fluents that change by themselves."""
    cdef const Tables* t = state.t
    cdef int32_t i
    cdef uint64_t bits
    for i in range(t.n_due):
        bits = state.legal_words[t.n_words + i]
        while bits:
            state.queue[n] = t.due_fluent[64 * i + lowest(bits)]
            n += 1
            bits &= bits - 1
    return n


cdef uint32_t collect(NetState state, const Effects* effects) noexcept nogil:
    """Put the fluents that change into the queue; returns how many."""
    cdef const uint8_t* value = state.value
    cdef int32_t* queue = state.queue
    cdef const int32_t* list
    cdef uint32_t n = 0
    cdef int32_t i
    for i in range(effects.n_toggle):
        queue[n] = effects.toggle[i]
        n += 1
    for i in range(effects.n_set):
        queue[n] = effects.set_true[i]
        n += value[effects.set_true[i]] ^ 1
    for i in range(effects.n_clear):
        queue[n] = effects.set_false[i]
        n += value[effects.set_false[i]]
    list = effects.set_if
    for i in range(effects.n_set_if):
        queue[n] = list[2 * i]
        n += (value[list[2 * i]] ^ 1) & (value[list[2 * i + 1] >> 1] ^ (list[2 * i + 1] & 1))
    list = effects.clear_if
    for i in range(effects.n_clear_if):
        queue[n] = list[2 * i]
        n += value[list[2 * i]] & (value[list[2 * i + 1] >> 1] ^ (list[2 * i + 1] & 1))
    if effects.n_set_when or effects.n_clear_when:
        n = collect_when(state, effects, n)
    return collect_due(state, n)


cdef uint32_t collect_when(NetState state, const Effects* effects, uint32_t n) noexcept nogil:
    """The fluents whose change depends on conditions that have to be evaluated."""
    cdef int32_t i, node
    cdef void* larger
    if effects.n_gates > state.own_room:
        larger = realloc(state.own, 2 * effects.n_gates)
        if larger == NULL:
            give_up(state)
            return n
        state.own = <uint8_t*>larger
        state.own_room = 2 * effects.n_gates
    memset(state.own, 2, effects.n_gates)
    for i in range(effects.n_set_when):
        node = effects.set_when[2 * i]
        if not state.value[node] and state.condition(effects, effects.set_when[2 * i + 1]):
            state.queue[n] = node
            n += 1
    for i in range(effects.n_clear_when):
        node = effects.clear_when[2 * i]
        if state.value[node] and state.condition(effects, effects.clear_when[2 * i + 1]):
            state.queue[n] = node
            n += 1
    return n


cdef void spread(NetState state, uint32_t n) noexcept nogil:
    """Flip the n fluents or loops in the queue and all gates that follow from them.

    While a gate waits in the queue, bit 1 of its value is set. The pointers are locals because a store to a byte
    could, for all the compiler knows, change any of them in the state.
    """
    cdef const Tables* t = state.t
    cdef const Node* nodes = t.node
    cdef const int32_t* readers = t.reader
    cdef const Node* node
    cdef uint8_t* value = state.value
    cdef uint16_t* counter = state.counter
    cdef uint64_t* words = state.legal_words
    cdef int32_t* queue = state.queue
    cdef const int32_t* end_bit = t.end_bit - t.first_end
    cdef uint32_t head = 0, tail = n, mask = state.queue_mask
    cdef int32_t n_inputs = t.n_inputs, at, i, gate, ends, stop
    cdef uint64_t key = (<uint64_t*>state.block)[0], crossed
    cdef uint8_t now
    while head != tail:
        at = queue[head & mask]
        head += 1
        now = (value[at] & 1) ^ 1
        if at <= n_inputs:
            key ^= t.code[at]
        elif (counter[at] == 0) != now:     # it has flipped back since it was queued
            value[at] = now ^ 1
            continue
        value[at] = now
        node = nodes + at
        for i in range(node.action, node.action + node.n_actions):
            words[t.action[i].word] ^= t.action[i].bit
        # Gates for which one input fewer is false; which of them flip is hard to foresee, so nothing branches on it.
        i = node.reader if now else node.denier
        ends = node.reader_end if now else node.denier_end
        stop = node.denier if now else node.stop
        while i < ends:
            gate = readers[i]
            i += 1
            counter[gate] -= 1
            if counter[gate] == 0 and not value[gate] & 2:
                value[gate] |= 2
                queue[tail & mask] = gate
                tail += 1
        while i < stop:
            gate = readers[i]
            i += 1
            counter[gate] -= 1
            crossed = counter[gate] == 0
            words[end_bit[gate] >> 6] ^= crossed << (end_bit[gate] & 63)
        # Gates for which one more is.
        i = node.denier if now else node.reader
        ends = node.denier_end if now else node.reader_end
        stop = node.stop if now else node.denier
        while i < ends:
            gate = readers[i]
            i += 1
            counter[gate] += 1
            if counter[gate] == 1 and not value[gate] & 2:
                value[gate] |= 2
                queue[tail & mask] = gate
                tail += 1
        while i < stop:
            gate = readers[i]
            i += 1
            crossed = counter[gate] == 0
            counter[gate] += 1
            words[end_bit[gate] >> 6] ^= crossed << (end_bit[gate] & 63)
    (<uint64_t*>state.block)[0] = key


cdef void settle_loops(NetState state) noexcept nogil:
    """Bring the relations that depend on themselves to their least fixpoint.

    If nothing that holds a group up from outside has turned false, its loops can only grow: those whose definitions
    hold become true until there are no more. Else loops might go on holding each other up, so all of them become
    false first.
    """
    cdef const Tables* t = state.t
    cdef const LoopGroup* group
    cdef uint8_t* support
    cdef const uint64_t* words
    cdef uint64_t bits
    cdef int32_t g, i, literal
    cdef uint8_t now
    cdef uint32_t n
    cdef bint fell
    for g in range(t.n_loop_groups):
        group = t.loop_group + g
        support = state.block + t.support_at + group.support
        words = state.legal_words + t.n_words + t.n_due + group.word
        fell = False
        for i in range(group.n_support):
            literal = t.support[group.support + i]
            now = state.value[literal >> 1] ^ (literal & 1)
            fell |= support[i] > now
            support[i] = now
        if fell:
            n = 0
            for i in range(group.first, group.first + group.n):
                state.queue[n] = i
                n += state.value[i]
            spread(state, n)
        while True:
            n = 0
            for i in range(group.n_words):
                bits = words[i]
                while bits:
                    state.queue[n] = group.first + 64 * i + lowest(bits)
                    n += 1
                    bits &= bits - 1
            if n == 0:
                break
            spread(state, n)
