import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCodes } from '../../core/authoring/check/check-codes';
import { EXIT } from '../../core/cli/exit-codes';
import { errorCodes } from '../../core/gateway/error-codes';
import { errorKinds } from '../../core/contract/driver-error';
import { END_REASONS, OWN_END_CODES } from '../../core/record/process-event';
import { repository } from '../setup/repository';
import { sourceFiles } from '../setup/source-files';
import { messagesIn } from './messages-in';

const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const page = read('docs/troubleshooting.md');

/** The first cells of the tables of a section and of its subsections. */
function rowsOf(heading: string, text = page): string[] {
  const [hashes = ''] = heading.split(' ');
  const section = text.split(`\n${heading}\n`)[1]?.split(new RegExp(`\n#{1,${hashes.length}} `))[0] ?? '';
  return [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap((match) => match[1]!.slice(1, -1).split('`, `'));
}

/** The same without its subsections. */
const ownRowsOf = (heading: string) => rowsOf(heading, page.replaceAll('\n### ', '\n## '));

/** The source of the program and its plug-ins, file by file, without what lists codes. */
const REGISTERS = [
  ...['core/gateway/error-codes.ts', 'core/contract/driver-error.ts', 'core/contract/api.ts'],
  ...['core/cli/doctor/finding.ts', 'core/authoring/check/check-codes.ts', 'core/record/process-event.ts'],
];
const paths = [...sourceFiles('core'), ...sourceFiles('plugins')]
  .map(({ path }) => path)
  .filter((path) => !REGISTERS.includes(path) && !/^core\/authoring\/(?!check)/.test(path));
const sources = paths.map(read);
/** The gateway lists its codes itself. */
const ofDaemon = paths.filter((path) => /^core\/(agents|daemon|dashboard|serving|errors)/.test(path)).map(read);

/** The words of a type that is a union of them. */
function unionIn(file: string, type: string): string[] {
  const body = read(file).split(`type ${type} =`)[1]!.split(';')[0]!;
  return [...body.matchAll(/'(\w+)'/g)].map((match) => match[1]!);
}

/** The codes that errors of a class are made with. */
function codesOf(pattern: RegExp): string[] {
  return ofDaemon.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!));
}

const control = [
  ...codesOf(/new HttpError\(\s*\d+,\s*'(\w+)'/g),
  ...codesOf(/readJson\(request, \w+, '(\w+)'\)/g),
  ...codesOf(/new ControlError\(\s*'(\w+)'/g),
  ...codesOf(/readonly code = '(usage|config_invalid)'/g),
  ...codesOf(/codeOf\(error\) \?\? '(\w+)'/g).filter((code) => code === 'internal'),
];
const topics = unionIn('core/contract/api.ts', 'DiagnosisTopic');
const findings = [
  ...['SystemCode', 'ConfigCode', 'DaemonCode', 'ProviderCode'].flatMap((type) =>
    unionIn('core/cli/doctor/finding.ts', type),
  ),
  ...topics,
];

describe.each([
  ['## Errors of the gateway', Object.keys(errorCodes)],
  ['## details.kind', [...errorKinds]],
  ['## Findings of doctor', findings],
  ['## Checks of a plug-in', Object.keys(checkCodes)],
  ['## The daemon and the dashboard', control],
  ['## How a process ended', [...END_REASONS]],
])('%s', (heading, codes) => {
  test('every code has one row, and every row is a code', () => {
    expect(codes.length).toBeGreaterThan(6);
    expect(ownRowsOf(heading).sort()).toEqual([...new Set(codes)].sort());
  });

  test('every code is given somewhere', () => {
    expect(codes.filter((code) => !sources.some((text) => text.includes(`'${code}'`)))).toEqual([]);
  });
});

test('every code of a process that no driver gives has its row, and is given somewhere', () => {
  expect(rowsOf('### Its code').sort()).toEqual([...OWN_END_CODES].sort());
  expect(OWN_END_CODES.filter((code) => !sources.some((text) => text.includes(`'${code}'`)))).toEqual([]);
});

test('every exit code has its row; those above 128 are of signals', () => {
  const rows = rowsOf('## Exit codes').map(Number);
  expect(rows.filter((code) => code <= 130).sort()).toEqual([...Object.values(EXIT), 129].sort());
});

test('the guide to the first run explains each finding of doctor', () => {
  expect(rowsOf('## doctor', read('docs/first-run.md')).sort()).toEqual([...new Set(findings)].sort());
});

/** Their messages have a code or a kind, and a row by that; or they are no messages for a user. */
const CODED = new RegExp(
  `^core/(${[
    ...[
      'agents/compose/compose-event',
      'agents/device-server',
      'authoring',
      'cli/doctor',
      'cli/init/(?!find-backends)',
      'cli/plugins/plugins-check',
      'cli/service',
    ],
    ...[
      'config/explain-issue',
      'daemon/client',
      'daemon/control',
      'daemon/explain',
      'daemon/mcp-server/answering',
      'dashboard',
      'gateway',
      'http',
    ],
    ...[
      'plugins/(?!resolve-entry|checked-error)',
      'devices/(route|mcp/readable-answers)',
      'limits/limit-reached',
      'providers/(chat-turn|diagnose|embedding-turn|find-lack|to-failure)',
      'subprocess/explain',
    ],
  ].join('|')})`,
);

test('every message of a configuration, and every warning of the log, has one row, and every row is said', () => {
  const said = sourceFiles('core')
    .filter(({ path }) => !CODED.test(path))
    .flatMap(({ path }) => messagesIn(path));
  expect([...rowsOf('## Configuration'), ...rowsOf('## Warnings in the log')].sort()).toEqual(
    [...new Set(said)].sort(),
  );
});

test('every message among the symptoms is said', () => {
  const symptoms = page.split('\n## Symptoms\n')[1]!.split('\n## ')[0]!;
  const messages = [...symptoms.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]!);
  expect(messages.length).toBeGreaterThan(6);
  const isSaid = (part: string) => sources.some((text) => text.includes(part));
  expect(messages.filter((message) => !message.split('…').every(isSaid))).toEqual([]);
});
