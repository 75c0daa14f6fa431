import { tempHome } from '../../setup/temp-home';

const home = tempHome();
const docs = (...words: string[]) => home.run('docs', ...words);

test('a page of the documentation is printed by its name, that of a driver by each of its names', async () => {
  const [page, driver, list] = await Promise.all([docs('writing-a-driver'), docs('claude-code'), docs()]);
  expect([page.code, page.stdout.startsWith('# Writing a driver\n')]).toEqual([0, true]);
  expect(driver).toEqual(await docs('alpha-cli.md'));
  expect(list.stdout).toMatch(/\nplugin-reference +\S/);
});

test('a name that is no page is a mistake, with the one that was meant', async () => {
  const stderr = expect.stringContaining('use: writing-a-driver') as string;
  expect(await docs('writing-a-drivr')).toMatchObject({ code: 2, stderr });
  const begun = expect.stringContaining('use: configuration-reference or configuration\n') as string;
  expect(await docs('config')).toMatchObject({ code: 2, stderr: begun });
});
