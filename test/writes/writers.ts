import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineHistory } from '../../core/cli/terminal/line-history';
import { TrustStore } from '../../core/config/trust-store';
import { writeNewFile } from '../../core/config/write-new-file';
import { DriverError } from '../../core/contract/driver-error';
import { Redactor } from '../../core/contract/redact';
import { knownModels, rememberModels } from '../../core/devices/known-models';
import { RestBook } from '../../core/providers/rest-book';
import { EventStream } from '../../core/record/event-stream';
import { ExchangeFile } from '../../core/record/exchange-file';
import { FlightRecorder } from '../../core/record/flight-recorder';
import { Ledger } from '../../core/record/ledger';
import { ledgerEntries } from '../../core/record/ledger-entries';
import { ledgerFile } from '../../core/record/ledger-files';
import { writeOverlay } from '../../core/record/price-overlay';
import type { ProcessSummary } from '../../core/record/process-summary';
import { ProcessStore } from '../../core/record/process-store';
import { readLines } from '../../core/record/read-lines';
import { readProcess } from '../../core/record/read-processes';

/** A way in which the program keeps something, and how it finds it again. It is a word here, or many. */
export interface Writer {
  write(folder: string, words: readonly string[]): Promise<void>;
  /** The words that count. Throws where something half-written counts. */
  read(folder: string): Promise<string[]>;
  /** A word takes the place of the one before. */
  isOne?: true;
}

/** The same in each program that writes. */
const NOW = Date.UTC(2026, 10, 21);
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const redactor = new Redactor();
/** Small, so that a few words fill a file. */
const EXCHANGES = { folder: (folder: string) => ({ folder, withContent: false }), limit: 1_500 };
const config = (folder: string) => join(folder, 'providers.yaml');
const entry = (name: string) => ({ name, fields: { kind: 'map', entries: new Map() } as never });

export const WORDS = { old: 'old', new: `new-${'x'.repeat(10_000)}`, next: 'next', late: 'late' };

export const writers: Readonly<Record<string, Writer>> = {
  'the ledger': {
    async write(state, words) {
      const ledger = new Ledger({ state, redactor, log });
      for (const provider of words)
        ledger.book({ time: NOW, provider, driver: 'd', asker: { type: 'chat' }, costUsd: 0, ok: true });
      await ledger.flush();
    },
    async read(state) {
      const found = [];
      for await (const { provider } of ledgerEntries(state, { from: 0, to: NOW + 1 })) found.push(provider);
      return found;
    },
  },
  'the prices of the ledger': {
    isOne: true,
    async write(state, [priced]) {
      const file = ledgerFile(state, NOW);
      if (priced === WORDS.old) await writers['the ledger']!.write(state, ['p']);
      await writeOverlay(file, new Map([[1, { time: NOW, price: { costUsd: 1, nominalUsd: undefined, priced } }]]));
    },
    async read(state) {
      const found = [];
      for await (const { priced } of ledgerEntries(state, { from: 0, to: NOW + 1 })) found.push(String(priced));
      return found;
    },
  },
  'the records of agents': {
    async write(state, words) {
      const store = openStore(state, `writer ${process.pid}`);
      await store.open();
      for (const intent of words) {
        const record = store.create({ intent, workingDirectory: '/' });
        record.add({ type: 'text', step: 1, text: intent });
        record.add({ type: 'exit', state: 'done', reason: 'finished' });
      }
      await store.close();
    },
    async read(state) {
      const store = openStore(state, 'reader');
      await store.open();
      await store.close();
      const found = await Promise.all((await store.list()).map((each) => endOf(state, each)));
      return found.flat();
    },
  },
  'the requests of serve --record': {
    async write(folder, words) {
      const recorder = new FlightRecorder();
      const file = new ExchangeFile(1, EXCHANGES.folder(folder), redactor, log, EXCHANGES.limit);
      for (const id of words) {
        const head = { id, kind: 'chat', dialect: 'd', path: '/p', client: undefined, agent: undefined };
        const exchange = recorder.begin({ ...head, arrivedAt: 1, startedMs: 1 });
        const end = { status: 200, ms: 1, overheadMs: 1, provider: 'p', route: undefined, error: undefined };
        exchange.end = { ...end, used: { costUsd: 0 } };
        file.add(exchange);
      }
      await file.flush();
    },
    async read(folder) {
      const found = [];
      for (const name of ['gateway-1.1.ndjson', 'gateway-1.ndjson'])
        for await (const line of readLines(join(folder, name), (text) => text !== ''))
          if (line !== undefined) found.push((line as { id: string }).id);
      return found;
    },
  },
  'what is trusted': {
    write(state, words) {
      const store = new TrustStore(state);
      const problems = words.flatMap((text) => store.add('trusted', { file: '/a', text }) ?? []);
      return problems[0] ? Promise.reject(new Error(problems[0].message)) : Promise.resolve();
    },
    read(state) {
      const store = new TrustStore(state);
      return Promise.resolve(Object.values(WORDS).filter((text) => store.has('trusted', { file: '/a', text })));
    },
  },
  'an edit of the configuration': {
    isOne: true,
    async write(folder, [word]) {
      await writeNewFile(config(folder), `# ${word}\n`, { existing: 'copied' });
    },
    read(folder) {
      const files = readdirSync(folder).filter((name) => name.startsWith('providers.yaml'));
      const found = new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
      for (const [name, text] of found)
        if (!Object.values(WORDS).some((word) => text === `# ${word}\n`)) throw new Error(`${name} is not whole`);
      return Promise.resolve([found.get('providers.yaml')!.slice(2, -1)]);
    },
  },
  'the rests of providers': {
    isOne: true,
    async write(state, [word]) {
      const failures: unknown[] = [];
      const book = new RestBook(state, true, (error) => void failures.push(error));
      const rests = book.of(entry('p'));
      rests.noteFailure(new DriverError('unreachable', word!, { retryAfterS: 600 }), undefined, rests.count);
      await book.flush();
      if (failures.length > 0) throw failures[0];
    },
    read: (state) =>
      Promise.resolve(
        new RestBook(state, false)
          .of(entry('p'))
          .list()
          .map(({ message }) => message),
      ),
  },
  'the models of a completion': {
    isOne: true,
    async write(cache, [name]) {
      const models = [{ name: name! }];
      await rememberModels(cache, [{ provider: 'p', listed: true, models } as never]);
    },
    read: (cache) => Promise.resolve(knownModels(cache, 'p')),
  },
  'the history of a prompt': {
    write(state, words) {
      const history = new LineHistory(join(state, 'shell_history'));
      history.load();
      for (const word of words) history.add(word);
      return Promise.resolve();
    },
    read: (state) => Promise.resolve(new LineHistory(join(state, 'shell_history')).load().toReversed()),
  },
};

function openStore(state: string, daemon: string): ProcessStore {
  const isAlive = (name: string) => name.startsWith('writer') && isRunning(Number(name.slice('writer '.length)));
  return new ProcessStore({ state, daemon, isAlive, stream: new EventStream(), redactor, log });
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The record that the index speaks of. A full disk may have taken none, or not all of it: then the end is that of the index. */
async function endOf(state: string, { pid, end }: ProcessSummary): Promise<string[]> {
  if (!end) throw new Error(`process ${pid} has no end`);
  const { view, last } = (await readProcess(state, pid)) ?? {};
  if (!view) return [];
  if (view.end && last?.type !== 'exit') throw new Error(`process ${pid} goes on after its end`);
  return [view.intent];
}
