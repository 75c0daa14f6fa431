import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonOptions, sharedOptions } from '../core/config/schema';
import { type Manifest, parseManifest } from '../core/plugins/manifest';
import { repository } from './setup/repository';
import { type Import, type SourceFile, sourceFiles } from './setup/source-files';

/** The floors of the house, from the top. A file may import what is below it, and its own room. */
const FLOORS: [number, RegExp][] = [
  [8, /^bin\//],
  [7, /^core\/cli\//],
  [6, /^core\/daemon\//],
  [5, /^core\/(gateway|agents|dashboard)\//],
  // The kit for authors stands beside the house: it makes providers as the daemon does.
  [4, /^core\/(devices|authoring)\//],
  [3, /^core\/providers\//],
  [2, /^core\/(plugins|limits|prices)\//],
  [1, /^core\/(config|subprocess|http|record|log|serving|shared-state)\//],
  [0, /^core\/contract\//],
  // The single files of core stand below its rooms.
  [-1, /^core\/[^/]+$/],
];

/** It runs in a browser, and is compiled into one file with what it imports. */
const PAGE = /^core\/dashboard\/page\//;

/** Who may import a package. What is not here has no owner yet: decide, and add it. */
const OWNERS: Record<string, RegExp> = {
  express: /^core\/serving\//,
  yaml: /^core\/config\//,
  dotenv: /^core\/config\//,
  cosmiconfig: /^core\/config\//,
  undici: /^core\/http\//,
  'cross-spawn': /^core\/subprocess\//,
  'tree-kill': /^core\/subprocess\//,
  '@opentelemetry/api': /^core\/daemon\/telemetry\//,
  '@opentelemetry/exporter-metrics-otlp-proto': /^core\/daemon\/telemetry\//,
  '@opentelemetry/exporter-trace-otlp-proto': /^core\/daemon\/telemetry\//,
  '@opentelemetry/resources': /^core\/daemon\/telemetry\//,
  '@opentelemetry/sdk-metrics': /^core\/daemon\/telemetry\//,
  '@opentelemetry/sdk-trace-base': /^core\/daemon\/telemetry\//,
  'prom-client': /^core\/daemon\/metrics\//,
  '@redis/client': /^core\/shared-state\//,
  'rate-limiter-flexible': /^core\/shared-state\//,
  commander: /^core\/cli\//,
  'sonic-boom': /^core\/log\//,
  'safe-stable-stringify': /^core\/log\//,
  'fastest-levenshtein': /^core\/config\//,
  '@modelcontextprotocol/sdk': /^core\/(devices\/mcp|daemon\/mcp-server|cli\/mcp)\//,
  preact: PAGE,
  // The language of schemas, spoken on every floor.
  zod: /^core\//,
};

/** What writes into a file, and the files that may use it: each for a reason of its own, told in docs/daemon.md. */
const WRITES = /^((write|append|copy)File|rename|createWriteStream|link)(Sync)?$/;
const WRITERS = [
  'core/write-whole.ts',
  // Keeps the file before under another name.
  'core/config/write-new-file.ts',
  // New files whose name says it all, or whose first line is read only when it is whole.
  'core/config/trust-store.ts',
  'core/record/process-files.ts',
  // Lines at the end of a file.
  'core/cli/terminal/line-history.ts',
  'core/daemon/daemon-log.ts',
  // Takes the place of the one before, when it is full.
  'core/record/exchange-file.ts',
  // A socket, and the folder of one program, which goes with it.
  'core/daemon/socket/control-socket.ts',
  'core/cli/launch/launch.ts',
];

const VENDORS = [
  ...['openai', 'anthropic', 'claude', 'openclaude', 'gemini', 'google', 'genai', 'gpt', 'codex', 'cursor', 'qwen'],
  ...['deepseek', 'ollama', 'groq', 'mistral', 'vllm', 'openrouter', 'cohere', 'perplexity', 'grok', 'xai', 'llama'],
];

const core = sourceFiles('core');
const bin = sourceFiles('bin');
const house = [...core, ...bin];
/** Code that several plug-ins of ours are built with; it is compiled into each of them. */
const SHARED = 'plugins/_shared';
const pluginFolders = readdirSync(join(repository, 'plugins')).filter((name) => `plugins/${name}` !== SHARED);
const plugins = sourceFiles('plugins');

function manifestsIn(folder: string): Manifest[] {
  return readdirSync(join(repository, folder))
    .map((name) => join(repository, folder, name, 'manifest.json'))
    .filter((file) => existsSync(file))
    .map((file) => parseManifest(readFileSync(file, 'utf8')));
}

const bundled = manifestsIn('plugins');
const every = [...bundled, ...manifestsIn('docs/examples')];

/** Each file with the words of a list that it uses: whole words, hyphens counted in, in whatever case. */
function uses(words: string[], files: SourceFile[]): string[] {
  if (words.length === 0) return [];
  const pattern = new RegExp(`(?<![\\w-])(${words.map(escape).join('|')})(?![\\w-])`, 'gi');
  return files.flatMap(({ path, words: texts }) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([word]) => `${path}: ${word}`)),
  );
}

const escape = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function floorOf(path: string): number | undefined {
  return FLOORS.find(([, pattern]) => pattern.test(path))?.[0];
}

const folderOf = (path: string) => (path.startsWith('bin/') ? 'bin' : path.split('/').slice(0, 2).join('/'));

/** `core/http/sse` or a folder as in the specifier, with the extension of the file that is there. */
function fileBehind(target: string): string {
  const names = ['', '.ts', '.tsx', '/index.ts', '.js', '.json'].map((end) => target + end);
  return names.find((name) => /\.\w+$/.test(name) && existsSync(join(repository, name))) ?? target;
}

const importsOf = (files: SourceFile[]) =>
  files.flatMap((file) => file.imports.map((imported) => ({ file, imported, from: file.path })));

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Expects that there is none of these imports. */
function expectNone(imports: { from: string; imported: Import }[]): void {
  expect(imports.map(({ from, imported }) => `${from}: ${imported.specifier} ${imported.names.join(', ')}`)).toEqual(
    [],
  );
}

/** A wire may be full of its inventor's name: a dialect has such words in one file, and in no other. */
const WIRE_WORDS = /^core\/(gateway\/dialects\/[^/]+|devices\/mcp)\/vendor-words\.ts$/;
const neutral = house.filter(({ path }) => !WIRE_WORDS.test(path));

/** Expects that the house uses none of these words. */
const expectUnused = (words: string[], files = neutral) => expect(uses(words, files)).toEqual([]);

const isPackage = ({ specifier }: Import) => !specifier.startsWith('.') && !specifier.startsWith('node:');

test('there is something to look at', () => {
  expect(core.length).toBeGreaterThan(50);
  expect(bin.map(({ path }) => path)).toContain('bin/cli');
  expect(bundled.length).toBeGreaterThan(0);
  expect(plugins.length).toBeGreaterThanOrEqual(bundled.length);
  expect(importsOf(core).length).toBeGreaterThan(200);
});

describe('core names no driver', () => {
  test('no driver value, and no alias', () => {
    expectUnused(every.flatMap(({ driver, aliases }) => [driver, ...aliases]));
  });

  test('no provider that a manifest declares, nor its values', () => {
    const values = every.flatMap(({ builtinProvider }) => Object.values(builtinProvider ?? {}).map(String));
    // `--demo` is the name of a flag of ours.
    expectUnused(values.filter((value) => value !== 'demo'));
  });

  test('no option that a manifest owns', () => {
    const known = { ...commonOptions, ...sharedOptions };
    // The options of examples are ordinary words; those of the drivers that we ship are names.
    const own = bundled.flatMap(({ options }) => Object.keys(options)).filter((name) => !Object.hasOwn(known, name));
    // The house calls the form of an API a wire, and a program that is kept ready warm, too.
    expectUnused(own.filter((name) => name !== 'wire' && name !== 'warm'));
  });

  test('no vendor', () => {
    const files = neutral.map((file) => ({
      ...file,
      words: file.words.map((text) =>
        text
          // What the gateway speaks is called after its inventor, also by everybody else.
          .replaceAll('OpenAI-style', '')
          // A variable of OpenTelemetry, which means any generative AI.
          .replaceAll('OTEL_INSTRUMENTATION_GENAI', '')
          // `openaiError`, `fetch_gemini` and `claude-code` name a vendor, too.
          .replace(/([a-z\d])([A-Z])/g, '$1 $2')
          .replace(/[_-]/g, ' '),
      ),
    }));
    expectUnused(VENDORS, files);
  });

  test('the search finds what it is for', () => {
    const planted: SourceFile = { path: 'x', imports: [], words: ['to chat-compat,', 'chat-compat-2', 'CHAT-COMPAT'] };
    expect(uses(['chat-compat'], [planted])).toEqual(['x: chat-compat', 'x: CHAT-COMPAT']);
  });
});

test('the words of a wire stand in its dialect', () => {
  const wire = ['chatcmpl', 'chat.completion', '/v1/chat/completions', '[DONE]', 'x-should-retry', 'server_error'];
  const isOutside = (path: string) => /^core\/(gateway|serving|devices|providers)\/(?!dialects\/)/.test(path);
  const found = core
    .filter(({ path }) => isOutside(path))
    .flatMap(({ path, words }) =>
      wire.filter((word) => words.some((each) => each.includes(word))).map((word) => `${path}: ${word}`),
    );
  expect(found).toEqual([]);
  expect(core.some(({ path, words }) => !isOutside(path) && words.includes('x-should-retry'))).toBe(true);
});

test('a file is written whole: in one place, or for a reason that is told', () => {
  const found = importsOf(core).filter(
    ({ from, imported }) =>
      /^node:fs/.test(imported.specifier) &&
      imported.names.some((name) => WRITES.test(name)) &&
      // The kit for authors writes into temporary folders.
      !from.startsWith('core/authoring/'),
  );
  expect([...new Set(found.map(({ from }) => from))].sort()).toEqual([...WRITERS].sort());
});

describe('packages', () => {
  test('each has one owner in core, and none is a vendor’s', () => {
    const packages = importsOf(core).filter(({ imported }) => isPackage(imported));
    expectNone(packages.filter(({ from, imported }) => !OWNERS[packageOf(imported.specifier)]?.test(from)));
  });

  test('the launcher needs none', () => {
    expectNone(importsOf(bin).filter(({ imported }) => isPackage(imported)));
  });

  test('every one that is imported is a dependency of the package', () => {
    const text = readFileSync(join(repository, 'package.json'), 'utf8');
    const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
    const imported = [...importsOf(core), ...importsOf(plugins)]
      .filter(
        ({ from, imported }) => isPackage(imported) && packageOf(imported.specifier) !== 'drivebay' && !PAGE.test(from),
      )
      .map(({ imported }) => packageOf(imported.specifier));
    for (const name of imported) expect(Object.keys(dependencies)).toContain(name);
  });
});

describe('a plug-in stands beside the house', () => {
  test.each(pluginFolders)('%s has a manifest, an entry and a README', (folder) => {
    for (const file of ['manifest.json', 'index.ts', 'README.md']) {
      expect([file, existsSync(join(repository, 'plugins', folder, file))]).toEqual([file, true]);
    }
  });

  test('it imports Node, its own folder, the shared one, its SDK and the contract’s types', () => {
    const owned = new Set(Object.keys(OWNERS));
    const wrong = importsOf(plugins).filter(({ from, imported }) => {
      if (imported.specifier === 'drivebay/plugin') return !imported.typeOnly;
      if (imported.specifier.startsWith('node:')) return false;
      if (imported.target !== undefined) return ![folderOf(from), SHARED].includes(folderOf(imported.target));
      return owned.has(packageOf(imported.specifier));
    });
    expectNone(wrong);
  });

  test('what is shared belongs to no vendor: no plug-in, no package, no option of one driver', () => {
    const shared = plugins.filter(({ path }) => path.startsWith(`${SHARED}/`));
    expect(shared.length).toBeGreaterThan(0);
    expect(existsSync(join(repository, SHARED, 'manifest.json'))).toBe(false);
    expectNone(
      importsOf(shared).filter(({ imported }) => isPackage(imported) && imported.specifier !== 'drivebay/plugin'),
    );
    expectUnused(
      bundled.map(({ driver }) => driver),
      shared,
    );
  });

  test('an SDK belongs to one plug-in', () => {
    const owners = new Map<string, Set<string>>();
    for (const { from, imported } of importsOf(plugins)) {
      if (!isPackage(imported) || imported.specifier === 'drivebay/plugin') continue;
      const name = packageOf(imported.specifier);
      owners.set(name, (owners.get(name) ?? new Set()).add(folderOf(from)));
    }
    expect([...owners].filter(([, folders]) => folders.size > 1)).toEqual([]);
  });

  test('core imports no file of a plug-in', () => {
    expectNone(importsOf(house).filter(({ imported }) => imported.target?.startsWith('plugins/')));
  });
});

describe('floors', () => {
  const edgesOf = (files: SourceFile[]) =>
    importsOf(files).flatMap(({ from, imported }) => {
      if (imported.target === undefined) return [];
      const to = fileBehind(imported.target.replace(/^dist\//, ''));
      return [{ from, to, typeOnly: imported.typeOnly }];
    });
  const edges = edgesOf(house);

  test('every file of core is on one', () => {
    expect(house.filter(({ path }) => floorOf(path) === undefined).map(({ path }) => path)).toEqual([]);
  });

  test('every relative import leads to a file', () => {
    expect(
      edges.filter(({ to }) => !existsSync(join(repository, to))).map(({ from, to }) => `${from} -> ${to}`),
    ).toEqual([]);
  });

  test('no import runs upward, nor to a neighbour on the same floor', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [above, below] = [floorOf(from), floorOf(to)];
      if (above === undefined || below === undefined) return true;
      const isNeighbour = above === below && above >= 0 && folderOf(from) !== folderOf(to);
      return below > above || isNeighbour;
    });
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('no import runs in a circle', () => {
    const targets = new Map<string, string[]>();
    for (const { from, to } of [...edges, ...edgesOf(plugins)]) targets.set(from, [...(targets.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (path: string, trail: string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (trail.includes(path) || done.has(path)) return;
      for (const next of targets.get(path) ?? []) walk(next, [...trail, path]);
      done.add(path);
    };
    for (const { path } of [...house, ...plugins]) walk(path, []);
    expect(circles).toEqual([]);
  });

  test('what reaches the browser imports nothing of Node, and the program nothing of the page', () => {
    const reached = new Set(house.map(({ path }) => path).filter((path) => PAGE.test(path)));
    for (const path of reached) {
      for (const { from, to, typeOnly } of edges) if (from === path && !typeOnly) reached.add(to);
    }
    const inBrowser = house.filter(({ path }) => reached.has(path));
    expect(inBrowser.length).toBeGreaterThan(20);
    const strangers = importsOf(inBrowser).filter(
      ({ imported }) => !imported.typeOnly && isPackage(imported) && packageOf(imported.specifier) !== 'preact',
    );
    const ofNode = importsOf(inBrowser).filter(({ imported }) => imported.specifier.startsWith('node:'));
    expectNone([...strangers, ...ofNode]);
    expect(edges.filter(({ from, to }) => PAGE.test(to) && !PAGE.test(from))).toEqual([]);
  });

  test('nothing of the program imports the test kit', () => {
    const kit = /^core\/authoring\/(?!check\/)/;
    expect(edges.filter(({ from, to }) => kit.test(to) && !from.startsWith('core/authoring/'))).toEqual([]);
  });

  // It starts the built program by its path.
  test('the launcher imports nothing of core', () => {
    expect(edges.filter(({ from, to }) => from.startsWith('bin/') && to.startsWith('core/'))).toEqual([]);
  });
});

describe.each(['gateway', 'agents'])('core/%s reaches a provider only as a device', (folder) => {
  const users = core.filter(({ path }) => path.startsWith(`core/${folder}/`));

  test('it imports no turn, no provider and no driver, only errors and what follows from them; not even their types', () => {
    const allowed = /^core\/providers\/(call-clock|refusal)$/;
    const types = ['runCall', 'Provider', 'PluginRegistry', 'Driver', 'DriverFactory'];
    const wrong = importsOf(users).filter(({ imported: { target = '', typeOnly, names } }) => {
      const isForeign = /^core\/(providers|plugins)\//.test(target) && !typeOnly && !allowed.test(target);
      return isForeign || names.some((name) => types.includes(name));
    });
    expectNone(wrong);
  });

  test('it does import devices', () => {
    expect(importsOf(users).some(({ imported }) => imported.target === 'core/devices/device-table')).toBe(true);
  });
});
