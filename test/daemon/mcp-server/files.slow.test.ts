import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { DaemonHome } from '../../setup/daemon-home';
import { delta, DONE, finish, json, posts, sse, Upstream } from '../../setup/upstream';
import { type ClientOptions, McpClient, ServerProgram } from './mcp-stage';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const home = new DaemonHome();
const clients: McpClient[] = [];
let upstream: Upstream;
let client: McpClient;

const connect = async (options?: ClientOptions, words?: string[]) => {
  const made = await McpClient.connect(new ServerProgram(home, words, { cwd: `${home.directory}/work` }), options);
  clients.push(made);
  return made;
};
const answer = (...pieces: (object | string | number)[]) => sse([...pieces, finish(), DONE]);
/** The message that the backend got last. */
const sent = () => (posts(upstream).at(-1)?.body as { messages: { content: unknown }[] }).messages.at(-1)!.content;

beforeAll(async () => {
  upstream = await Upstream.start();
  upstream.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : answer(delta('seen'))));
  home.providers(`name: api, driver: openai-compatible, base_url: "${upstream.url}/v1", default_model: see`);
  home.write('work/a.txt', 'first file');
  home.write('work/sub/b.txt', 'second file');
  home.write('other/secret.txt', 'secret');
  home.write('work/binary.bin', Buffer.from([1, 0, 2, 255]));
  home.write('work/dot.png', PNG);
  mkdirSync(`${home.directory}/work/real`);
  symlinkSync(`${home.directory}/other/secret.txt`, `${home.directory}/work/link.txt`);
  symlinkSync(`${home.directory}/other`, `${home.directory}/work/folder`);
  symlinkSync(`${home.directory}/work/a.txt`, `${home.directory}/work/inner.txt`);
  client = await connect({ roots: [`${home.directory}/work`] });
});
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()));
  await upstream.close();
});

test('files of the roots reach the model, before the question', async () => {
  const files = ['a.txt', `${home.directory}/work/sub/b.txt`, 'inner.txt'];
  const { text } = await client.call('ask', { model: 'api', prompt: 'What is in them?', files });
  expect(text).toBe('seen');
  const whole = JSON.stringify(sent());
  expect(whole).toContain('first file');
  expect(whole).toContain('second file');
  expect(whole.indexOf('second file')).toBeLessThan(whole.indexOf('What is in them?'));
});

test.each([
  ['a path that leads out', '../other/secret.txt'],
  ['an absolute path elsewhere', '/etc/passwd'],
  ['a symbolic link that leads out', 'link.txt'],
  ['a folder behind a symbolic link', 'folder/secret.txt'],
])('%s is refused, and no model is asked', async (_, file) => {
  const before = posts(upstream).length;
  const { text, isError } = await client.call('ask', { model: 'api', prompt: 'x', files: [file] });
  expect(isError).toBe(true);
  expect(text).toBe(
    `${file} is outside of the folders that may be read: ${home.directory}/work\n` +
      'start the server with the folder: drivebay mcp serve --root FOLDER',
  );
  expect(posts(upstream)).toHaveLength(before);
});

test.each<[string, Record<string, string[]>, string]>([
  ['a missing file', { files: ['none.txt'] }, 'there is no file none.txt\nlook at its path'],
  ['a folder', { files: ['sub'] }, 'sub is not a file\nname single files'],
  ['bytes', { files: ['binary.bin'] }, 'binary.bin is not UTF-8 text\nname a text file; a picture goes into `images`'],
  [
    'a text as a picture',
    { images: ['a.txt'] },
    'a.txt is not a picture that models take\ngive a PNG, JPEG, GIF or WebP file',
  ],
])('%s is told', async (_, given, message) => {
  expect(await client.call('ask', { model: 'api', prompt: 'x', ...given })).toMatchObject({
    isError: true,
    text: message,
  });
});

test('pictures reach the model, from a file and as data', async () => {
  const url = `data:image/png;base64,${PNG.toString('base64')}`;
  const { text } = await client.call('ask', { model: 'api', prompt: 'x', images: ['dot.png', url] });
  expect(text).toBe('seen');
  const images = (sent() as { type: string; image_url?: { url: string } }[]).filter(({ type }) => type === 'image_url');
  expect(images.map((part) => part.image_url?.url)).toEqual([url, url]);
});

test('a file of 10 MB reaches the model whole, and more than the limit is refused before anything is sent', async () => {
  writeFileSync(`${home.directory}/work/large.txt`, `begin${'"quoted"\n'.repeat(1_165_000)}end`);
  expect((await client.call('ask', { model: 'api', prompt: 'x', files: ['large.txt'] })).text).toBe('seen');
  expect(JSON.stringify(sent()).length).toBeGreaterThan(10_485_000);
  const before = posts(upstream).length;
  const { text } = await client.call('ask', { model: 'api', prompt: 'x', files: ['large.txt', 'large.txt'] });
  expect(text).toBe('large.txt is too much: the files of one question may have 12 MiB\nsend a part of it');
  expect(posts(upstream)).toHaveLength(before);
});

test('without roots no file is read, and --root names one', async () => {
  const given = { model: 'api', prompt: 'x', files: ['a.txt'] };
  const bare = await connect();
  expect((await bare.call('ask', given)).text).toMatch(
    /^there is no folder whose files this client may send\nstart the server/,
  );
  const rooted = await connect({}, ['mcp', 'serve', '--root', '.']);
  expect((await rooted.call('ask', given)).text).toBe('seen');
  const narrowed = await connect({ roots: [home.directory] }, ['mcp', 'serve', '--root', 'sub']);
  expect((await narrowed.call('ask', given)).isError).toBe(true);
  expect((await narrowed.call('ask', { ...given, files: ['b.txt'] })).text).toBe('seen');
});

test('progress tells who answers and how much there is while the answer grows', async () => {
  const slow = [300, delta('x'.repeat(50)), 300, delta('y'.repeat(50)), 300, delta('z')];
  const own = await Upstream.start();
  own.answer(({ method }) => (method === 'GET' ? json({ data: [] }) : answer(delta('a'), ...slow)));
  home.providers(`name: slow, driver: openai-compatible, base_url: "${own.url}/v1", default_model: s`);
  await home.run('daemon', 'stop');
  const told: { progress: number; message?: string }[] = [];
  await client.call('ask', { model: 'slow', prompt: 'x' }, { onprogress: (each) => void told.push(each) });
  expect(told[0]?.message).toBe('slow: thinks');
  expect(told.map(({ message }) => message)).toContain('slow: 51 characters');
  expect(told.every(({ progress }, at) => at === 0 || progress > told[at - 1]!.progress)).toBe(true);
  await own.close();
});
