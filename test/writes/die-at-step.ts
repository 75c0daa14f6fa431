import fs from 'node:fs';
import later, { type FileHandle } from 'node:fs/promises';

type Work = (this: unknown, ...given: unknown[]) => unknown;

const AT_ONCE = [
  ...['openSync', 'fsyncSync', 'closeSync', 'linkSync', 'renameSync', 'rmSync', 'mkdirSync', 'symlinkSync'],
  ...['chmodSync', 'fchmodSync', 'ftruncateSync', 'utimesSync'],
];

/** Kills this program before its n-th work on a file, or in the middle of it: then half of the bytes are there. */
export async function dieAtStep(step: number): Promise<void> {
  let left = step;
  const count = () => void ((left -= 1) === 0 && process.kill(process.pid, 'SIGKILL'));
  const before = (object: object, names: readonly string[]) => {
    for (const [name, work] of worksOf(object, names))
      put(object, name, function (...given) {
        count();
        return work.apply(this, given);
      });
  };
  const halved = (object: object, names: readonly string[], at: number) => {
    for (const [name, work] of worksOf(object, names))
      put(object, name, async function (...given) {
        count();
        if (left === 1) await work.apply(this, [...given.slice(0, at), half(given[at])]);
        count();
        return work.apply(this, given);
      });
  };
  const handle = await later.open(process.execPath);
  await handle.close();
  const kind = Object.getPrototypeOf(handle) as FileHandle;
  halved(kind, ['write', 'writeFile', 'appendFile'], 0);
  before(kind, ['chmod', 'sync', 'close']);
  before(later, ['open', 'rm', 'link', 'copyFile', 'rename', 'mkdir']);
  before(fs, AT_ONCE);
  writeInSteps(count, () => left === 1);
}

/** Node opens, writes and closes in one call: here these are three, and the writing is two. */
function writeInSteps(count: () => void, isLast: () => boolean): void {
  const write = fs.writeSync.bind(fs) as (file: number, data: Buffer) => number;
  const inSteps =
    (usual: string) =>
    (file: string | number, data: string | Buffer, { flag = usual, mode = 0o666 } = {}): void => {
      const descriptor = typeof file === 'number' ? file : fs.openSync(file, flag, mode);
      count();
      if (isLast()) write(descriptor, half(data));
      count();
      write(descriptor, Buffer.from(data as string));
      if (descriptor !== file) fs.closeSync(descriptor);
    };
  Object.assign(fs, { writeFileSync: inSteps('w'), appendFileSync: inSteps('a') });
}

const half = (data: unknown) => Buffer.from(data as string).subarray(0, Math.ceil((data as string).length / 2));

function worksOf(object: object, names: readonly string[]): [string, Work][] {
  return names.map((name) => [name, (object as Record<string, Work>)[name]!]);
}

function put(object: object, name: string, work: Work): void {
  (object as Record<string, Work>)[name] = work;
}
