import { setTimeout as pause } from 'node:timers/promises';

const DYING_MS = 4_000;
const RELOAD_MS = 10_000;

/** What happens to the houses while clients ask. Resolves when the time is over and the last of it is done. */
export async function keepBusy({ steady, killed, samples, seconds, limits }) {
  const end = performance.now() + seconds * 1000;
  const isOver = (ms) => performance.now() + ms >= end;
  const every = async (ms, act) => {
    for (let count = 1; !isOver(ms); count += 1) {
      await pause(ms);
      await act(count);
    }
  };
  const houses = [steady, killed];
  await Promise.all([
    ...houses.map((house) => every(RELOAD_MS, () => house.reload())),
    ...houses.map((house) =>
      every(DYING_MS, (count) => (count % 2 === 1 ? house.backends.dying.die() : revive(house))),
    ),
    every(limits.sampleS * 1000, () => samples.take()),
    every(limits.restEveryS * 1000, () => samples.takeAtRest()),
    every(limits.killEveryS * 1000, () => killed.killAndStart()),
  ]);
  await pause(Math.max(0, end - performance.now()));
}

/** Without the second call the rest of the provider, which doubles, would soon be longer than the run. */
async function revive(house) {
  await house.backends.dying.start();
  const { work: workingDirectory } = house;
  const startedAt = Date.now();
  const answer = await house
    .call('POST', '/v1/providers/wake', { project: { workingDirectory }, provider: 'dying' })
    .catch((error) => ({ text: error.message }));
  if (answer.status !== 200 && !house.wasDown(startedAt, Date.now()))
    house.faults.push(`a provider could not be woken: ${answer.status} ${answer.text}`);
}
