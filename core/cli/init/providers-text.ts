import { commonOptions } from '../../config/schema';
import { yamlValue } from '../../config/parse-yaml';
import { printable } from '../../log/printable';
import { driverNames, type Manifest } from '../../plugins/manifest';
import type { Sighting } from './sighting';

interface WrittenProvider {
  sighting: Sighting;
  /** A comment for later readers of the file: that the provider did not answer, for example. */
  note?: string;
}

interface ProvidersTextParts {
  providers: readonly WrittenProvider[];
  route?: { name: string; targets: readonly string[] };
  defaultProvider?: string;
  reason?: string;
}

/** The text of a providers.yaml that explains itself. */
export function providersText({ providers, route, defaultProvider, reason }: ProvidersTextParts): string {
  const described = new Map<string, string>();
  const blocks = providers.map((provider) => block(provider, described));
  return [
    ...HEAD,
    'version: "1"',
    '',
    comment(`The provider for model names that no other provider serves, and for agents.${reason ? ` ${reason}` : ''}`),
    defaultProvider === undefined
      ? comment('default_provider: NAME')
      : `default_provider: ${yamlValue(defaultProvider)}`,
    '',
    'providers:',
    blocks.join('\n'),
    ...(route
      ? [
          ROUTE,
          'routes:',
          `  - name: ${yamlValue(route.name)}`,
          `    targets: [${route.targets.map(yamlValue).join(', ')}]`,
          '',
        ]
      : []),
  ].join('\n');
}

const ROUTE = comment('One name for several providers: each request goes to the first of them that can answer.');

const SHOWN = new Set(['name', 'driver']);

const HEAD = [
  comment('Providers of Drivebay, written by `drivebay init`. Edit it as you like; afterwards: drivebay config check'),
  comment('What runs takes changes over with: drivebay reload'),
  '#',
  comment('Every provider may also set (value: default):'),
  ...Object.entries(commonOptions)
    .filter(([name]) => !SHOWN.has(name))
    .map(([name, schema]) => optionLine(name, schema.safeParse(undefined).data, schema.description)),
  '',
];

function block({ sighting, note }: WrittenProvider, described: Map<string, string>): string {
  const { manifest, provider, where = '' } = sighting;
  const [driver] = driverNames(manifest);
  const { name, ...options } = provider;
  const lines = [
    comment(manifest.summary || driver),
    comment(`Found: ${where}`),
    ...(note === undefined ? [] : [comment(note)]),
    `- name: ${yamlValue(name)}`,
    `  driver: ${yamlValue(driver)}`,
    ...Object.entries(options).map(([option, value]) => `  ${option}: ${yamlValue(value)}`),
    ...(options.default_model === undefined ? [`  ${optionLine('default_model', undefined, MODEL)}`] : []),
    ...furtherOptions(manifest, options, described, name).map((line) => `  ${line}`),
    '',
  ];
  return lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
}

const MODEL = commonOptions.default_model?.description;

/** The options that the entry does not set. For a driver that has an entry above, only where to look. */
function furtherOptions(
  { driver, options }: Manifest,
  given: Record<string, unknown>,
  described: Map<string, string>,
  name: string,
): string[] {
  const before = described.get(driver);
  if (before !== undefined) return [comment(`further options: as for ${before}`)];
  described.set(driver, name);
  return Object.entries(options)
    .filter(([option]) => !Object.hasOwn(given, option))
    .map(([option, schema]) => optionLine(option, schema.default, schema.description));
}

function optionLine(name: string, value: unknown, meaning: unknown): string {
  const shown = value === undefined ? '...' : yamlValue(value);
  return comment(`${name}: ${shown}${typeof meaning === 'string' && meaning !== '' ? `  # ${meaning}` : ''}`);
}

/** A text of a manifest stays on one line. */
function comment(text: string): string {
  return `# ${printable(text)}`;
}
