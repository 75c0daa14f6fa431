import { digestOf, makeKey } from '../../config/client-keys';
import { suggestName } from '../../config/did-you-mean';
import { addEntry, removeEntry, replaceKey } from '../../config/edit-config';
import { PROVIDER_NAME } from '../../config/schema';
import { nameOrHidden } from '../../contract/secrets';
import { UsageError } from '../../errors';
import { defined } from '../../fields';
import { parseName } from '../command-options';
import { readOwn, writeOwn } from '../config/own-file';
import { shellWords } from '../../shell-words';
import { printAnswer, printNote } from '../terminal/print';

/** `clients new`: stdout is the key and nothing else, so that a script can take it. */
export async function clientsNew(name: string, { allow }: { allow?: string[] }): Promise<void> {
  parseName('the name of a client')(name);
  const { source, text, names, routes, clients = [] } = readOwn();
  if (!PROVIDER_NAME.test(name)) {
    const expected = 'letters, digits, ".", "_" and "-", with a letter or a digit first';
    throw new UsageError(`${JSON.stringify(name)} is not a valid name of a client`, `expected ${expected}`);
  }
  if (clients.some((client) => client.name === name)) {
    throw new UsageError(`there is a client "${name}" already`, `for another key: drivebay clients rotate ${name}`);
  }
  // A file without providers would take the built-in one away.
  if (names.length === 0) throw new UsageError(`${source.file} has no provider yet`, 'first run: drivebay init');
  const isFirst = clients.length === 0;
  for (const wanted of allow ?? []) {
    // The name of a pattern may hold a comma.
    if (wanted.includes(',') && !routes.includes(wanted)) {
      const words = wanted.split(',').flatMap((each) => ['--allow', each.trim()]);
      throw new UsageError(
        `--allow ${shellWords([wanted])}: expected one name`,
        `repeat --allow: ${shellWords(words)}`,
      );
    }
    if (![...names, ...routes].includes(wanted.split(':', 1)[0]!))
      printNote(`note: there is no ${wanted} in this file`);
  }
  const key = makeKey();
  const edited = addEntry(text, defined({ name, key_sha256: digestOf(key).toString('hex'), allow }), 'clients');
  await (await writeOwn(source, edited, name, printNote)).close();
  printAnswer(key);
  printNote('this key is shown once: give it to the client, as "Authorization: Bearer <key>" or "x-api-key: <key>"');
  if (isFirst) printNote('from now on the gateway answers only requests with the key of a client');
}

/** `clients rotate`: the same for a client that is there. */
export async function clientsRotate(name: string): Promise<void> {
  const { source, text } = needClient(name);
  const key = makeKey();
  await (await writeOwn(source, replaceKey(text, name, digestOf(key).toString('hex')), name, printNote)).close();
  printAnswer(key);
  printNote('this key is shown once; a gateway that has read the new file refuses the old one');
}

export async function clientsRemove(name: string): Promise<void> {
  const { source, text, clients } = needClient(name);
  await (await writeOwn(source, removeEntry(text, name, 'clients'), name)).close();
  if (clients.length === 1) {
    printNote(
      'it was the last one: no key opens the gateway now; to accept requests without a key, remove the line `clients: []` as well, run drivebay reload, and start the gateway again',
    );
  }
}

function needClient(name: string) {
  const own = readOwn();
  const clients = own.clients ?? [];
  if (clients.some((client) => client.name === name)) return { ...own, clients };
  const names = clients.map((client) => client.name);
  const all = names.length > 0 ? `clients: ${names.join(', ')}` : 'to add it: drivebay clients new NAME';
  throw new UsageError(`there is no client ${nameOrHidden(name)} in ${own.source.file}`, suggestName(name, names, all));
}
