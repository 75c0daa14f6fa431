/**
 * The marks of all questions: each is a word that one question alone has, and what became of it. Where a question makes a
 * model ask another one, the question of that has the same mark with a `d` at its end.
 */
export class Marks {
  #all = new Map();

  /** `asks`: how often backends may be asked for it; a route may ask for what another target has failed to answer. */
  make(kind, asks = { most: 1, least: 1 }) {
    const mark = { name: `q${this.#all.size + 1}`, kind, asks, state: 'asked', startedAt: Date.now(), numbers: [] };
    this.#all.set(mark.name, mark);
    return mark;
  }

  find(name) {
    return this.#all.get(name?.replace(/d$/, ''));
  }

  get all() {
    return [...this.#all.values()];
  }
}

/** Whether the daemon was killed before it has written what it knew of a question. */
export function mayBeLost({ endedAt }, kills, lostMs) {
  return kills.some(({ at, upAt }) => endedAt <= upAt && endedAt > at - lostMs);
}

/** What a question says, and what a backend finds in it. The last mark counts: a conversation repeats earlier ones. */
export const questionOf = (name) => `What is [${name}]?`;
export const nameIn = (text) => [...text.matchAll(/\[(q\d+d?)\]/g)].at(-1)?.[1];

/** An answer says which question it is for, which answer of all it is, and in each piece which piece it is. */
export const PIECES = 5;
export const pieceOf = (name, number, index) => `${name}#${number}:${index} `;

/** Undefined for an answer that is whole and in order, else what is wrong with it. Returns the number of the answer, too. */
export function readPieces(name, text, expected = PIECES) {
  const found = [...text.matchAll(/(q\d+d?)#(\d+):(\d+) /g)];
  const number = Number(found[0]?.[2]);
  const isWhole =
    found.length === expected &&
    found.every(([, mark, each, index], at) => {
      return mark === name && Number(each) === number && Number(index) === at;
    });
  return { number, fault: isWhole ? undefined : `an answer that is not its own: ${text.slice(0, 200)}` };
}
