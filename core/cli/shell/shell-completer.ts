import { buildShellProgram } from './shell-program';
import { suggest } from '../completion/suggest';

/** What Tab offers at the end of a line of the shell. */
export async function complete(line: string): Promise<[string[], string]> {
  const words = line.split(/\s+/);
  const last = words.at(-1) ?? '';
  const found = await suggest(
    buildShellProgram(() => undefined),
    words.slice(0, -1).filter(Boolean),
    last,
  );
  return [Array.isArray(found) ? found.map(({ value }) => `${value} `) : [], last];
}
