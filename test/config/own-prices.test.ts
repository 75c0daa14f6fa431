import { join } from 'node:path';
import { configAt } from '../../core/config/find-config';
import { loadConfig } from '../../core/config/load';
import { valueOf } from '../../core/config/located';
import { formatProblem } from '../../core/errors';
import { tempHome } from '../setup/temp-home';

const home = tempHome();
const PROVIDER = 'name: a, driver: x, models: {m: {usd_per_mtok: {input: 1, output: 2}}}';
const FREE = `version: "1"
price_table: free.json
providers:
  - name: a
    cost_per_token: 0
    price_table: free.json
    models: {m: {context_window: 5, usd_per_mtok: {input: 0, output: 0}}, n: {usd_per_mtok: {input: 0, output: 0}}}
  - {name: b, driver: x, cost_per_token: 0}
`;

function load(global: string) {
  const { entries, priceTable, warnings } = loadConfig({
    global: configAt(home.write('global.yaml', `version: "1"\n${global}`)),
    project: configAt(home.write('project.yaml', FREE)),
  });
  return {
    entries: entries.map(({ fields }) => valueOf(fields)),
    table: priceTable?.file,
    warnings: warnings.map((warning) => formatProblem(warning).replaceAll(`${home.directory}/`, '')),
  };
}

test.each([
  ['the provider has a budget', `providers: [{${PROVIDER}, budget_usd: {day: 1}}]`],
  ['a client has one', `clients: [{name: c, api_key_env: C, budget_usd: {day: 1}}]\nproviders: [{${PROVIDER}}]`],
])('a project gives no price to a provider of the own file where %s', (_, global) => {
  const { entries, table, warnings } = load(global);
  const models = { m: { context_window: 5, usd_per_mtok: { input: 1, output: 2 } }, n: {} };
  expect(entries[0]).toMatchObject({ name: 'a', price_table: '', models });
  expect(entries[0]).not.toHaveProperty('cost_per_token');
  // That of the project alone has the prices of the project.
  expect(entries[1]).toEqual({ name: 'b', driver: 'x', cost_per_token: 0 });
  expect(table).toBe(join(home.directory, 'free.json'));
  const why = 'ignored in a project file, because a budget of your own file counts what provider "a" costs';
  expect(warnings).toEqual([
    `project.yaml:5:21: providers[0].cost_per_token: ${why}; put the price into global.yaml`,
    `project.yaml:6:18: providers[0].price_table: ${why}; put the price into global.yaml`,
    `project.yaml:7:51: providers[0].models.m.usd_per_mtok: ${why}; put the price into global.yaml`,
    `project.yaml:7:93: providers[0].models.n.usd_per_mtok: ${why}; put the price into global.yaml`,
  ]);
});

test('the list of prices of the own file goes on to hold for its providers', () => {
  const { entries } = load(`price_table: mine.json\nproviders: [{${PROVIDER}, budget_usd: {day: 1}}]`);
  expect(entries[0]).toMatchObject({ price_table: join(home.directory, 'mine.json') });
  const own = load(`price_table: mine.json\nproviders: [{${PROVIDER}, price_table: other.json, budget_usd: {day: 1}}]`);
  expect(own.entries[0]).toMatchObject({ price_table: 'other.json' });
});

test('without a budget a project may say what its turns cost', () => {
  const { entries, warnings } = load(`providers: [{${PROVIDER}}]`);
  expect(entries[0]).toMatchObject({ cost_per_token: 0, models: { m: { usd_per_mtok: { input: 0 } } } });
  expect(warnings).toEqual([]);
});
