/* Perfect matchings in any graph, by augmenting paths with contracted odd cycles (Edmonds 1965): whether
 * everybody can have a partner. Graphs are those of a round of a cup, up to CUP_ENTRANTS_MAX. */
#include "base/mem.h"
#include "host/cup/format.h"

#include <string.h>

struct matching {
    const bool *allowed;
    uint32_t n; /* also: nobody */
    uint32_t *mate, *parent, *base, *queue;
    bool *is_reached, *is_in_cycle;
};

static uint32_t matching_common_base(const struct matching *m, uint32_t a, uint32_t b) {
    bool seen[CUP_ENTRANTS_MAX] = {false};
    for (;;) {
        a = m->base[a];
        seen[a] = true;
        if (m->mate[a] == m->n)
            break;
        a = m->parent[m->mate[a]];
    }
    for (;;) {
        b = m->base[b];
        if (seen[b])
            return b;
        b = m->parent[m->mate[b]];
    }
}

static void matching_mark(struct matching *m, uint32_t at, uint32_t base, uint32_t child) {
    while (m->base[at] != base) {
        m->is_in_cycle[m->base[at]] = m->is_in_cycle[m->base[m->mate[at]]] = true;
        m->parent[at] = child;
        child = m->mate[at];
        at = m->parent[m->mate[at]];
    }
}

/* An odd cycle becomes one place; its members are looked at, too. */
static void matching_contract(struct matching *m, uint32_t a, uint32_t b, uint32_t *queued) {
    uint32_t base = matching_common_base(m, a, b);
    memset(m->is_in_cycle, 0, m->n * sizeof *m->is_in_cycle);
    matching_mark(m, a, base, b);
    matching_mark(m, b, base, a);
    for (uint32_t i = 0; i < m->n; i++) {
        if (!m->is_in_cycle[m->base[i]])
            continue;
        m->base[i] = base;
        if (!m->is_reached[i]) {
            m->is_reached[i] = true;
            m->queue[(*queued)++] = i;
        }
    }
}

/* Looks at one edge; returns the end of a path that leads to somebody without a partner, or n. */
static uint32_t matching_step(struct matching *m, uint32_t from, uint32_t to, uint32_t root,
                              uint32_t *queued) {
    uint32_t mate = m->mate[to];
    if (!m->allowed[from * m->n + to] || m->base[from] == m->base[to] || m->mate[from] == to)
        return m->n;
    if (to == root || (mate != m->n && m->parent[mate] != m->n)) {
        matching_contract(m, from, to, queued);
    } else if (m->parent[to] == m->n) {
        m->parent[to] = from;
        if (mate == m->n)
            return to;
        m->is_reached[mate] = true;
        m->queue[(*queued)++] = mate;
    }
    return m->n;
}

static uint32_t matching_find(struct matching *m, uint32_t root) {
    uint32_t queued = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        m->parent[i] = m->n;
        m->base[i] = i;
        m->is_reached[i] = false;
    }
    m->is_reached[root] = true;
    m->queue[queued++] = root;
    for (uint32_t head = 0; head < queued; head++)
        for (uint32_t to = 0; to < m->n; to++) {
            uint32_t end = matching_step(m, m->queue[head], to, root, &queued);
            if (end != m->n)
                return end;
        }
    return m->n;
}

static void matching_augment(struct matching *m, uint32_t end) {
    while (end != m->n) {
        uint32_t before = m->parent[end], next = m->mate[before];
        m->mate[end] = before;
        m->mate[before] = end;
        end = next;
    }
}

bool cup_match(const bool *allowed, uint32_t n, uint32_t *mate) {
    struct matching m = {.allowed = allowed,
                         .n = n,
                         .mate = mate,
                         .parent = mem_alloc(n * sizeof *m.parent),
                         .base = mem_alloc(n * sizeof *m.base),
                         .queue = mem_alloc(n * sizeof *m.queue),
                         .is_reached = mem_alloc(n * sizeof *m.is_reached),
                         .is_in_cycle = mem_alloc(n * sizeof *m.is_in_cycle)};
    bool is_perfect = true;
    for (uint32_t i = 0; i < n && is_perfect; i++) {
        if (mate[i] != n)
            continue;
        uint32_t end = matching_find(&m, i);
        is_perfect = end != n;
        matching_augment(&m, end);
    }
    mem_free(m.parent);
    mem_free(m.base);
    mem_free(m.queue);
    mem_free(m.is_reached);
    mem_free(m.is_in_cycle);
    return is_perfect;
}
