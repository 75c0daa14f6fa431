/** A timer that comes so much too late was held up by work. */
const BUSY_MS = 2;

/** The values of all answers; undefined where one of them takes longer than `ms`. Rejects where one of them does. */
export function allInTime<Value>(answers: readonly Promise<Value>[], ms: number): Promise<Value[] | undefined> {
  return new Promise((resolve, reject) => {
    let began = performance.now();
    const look = () => {
      if (performance.now() - began <= ms + BUSY_MS) return resolve(undefined);
      // It was this program that had no time, and answers may lie unread.
      began = performance.now();
      timer = setTimeout(look, ms);
    };
    let timer = setTimeout(look, ms);
    Promise.all(answers)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
