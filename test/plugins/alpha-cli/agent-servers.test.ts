import { makeLogger } from '../../../core/contract/make-logger';
import { serverArguments } from '../../../plugins/alpha-cli/agent-servers';
import type { HandedServer } from '../../../plugins/_shared/cli/tool-servers';

const box: HandedServer = {
  name: 'box',
  reach: { kind: 'script', command: '/bin/sh', args: ['/private/box.sh'] },
  timeoutMs: 5,
};
const web: HandedServer = {
  name: 'web',
  reach: { kind: 'address', url: 'http://h/', headers: { A: 'secret' }, type: 'sse' },
  timeoutMs: 5,
};

async function argumentsFor(...servers: HandedServer[]) {
  const written: string[] = [];
  const warnings: string[] = [];
  const write = (name: string, text: string) => {
    written.push(text);
    return `/private/${name}`;
  };
  const log = makeLogger((_, message) => void warnings.push(message));
  const args = await serverArguments({ servers, write, release: () => undefined }, { log });
  return { args, written: written.map((text) => JSON.parse(text) as object), warnings };
}

test('the servers stand in a file, and their tools need no question', async () => {
  const { args, written } = await argumentsFor(box, web);
  expect(args).toEqual(['--mcp-config', '/private/servers.json', '--allowed-tools', 'mcp__box', 'mcp__web']);
  expect(written).toEqual([
    {
      mcpServers: {
        box: { command: '/bin/sh', args: ['/private/box.sh'], timeout: 5 },
        web: { type: 'sse', url: 'http://h/', headers: { A: 'secret' }, timeout: 5 },
      },
    },
  ]);
});

test('single tools are allowed, and the others taken away', async () => {
  const { args } = await argumentsFor({ ...box, only: ['a.b'], others: () => Promise.resolve(['c', 'd e']) });
  expect(args.slice(2)).toEqual([
    '--allowed-tools',
    'mcp__box__a_b',
    '--disallowed-tools',
    'mcp__box__c',
    'mcp__box__d_e',
  ]);
});

test('a server that does not say what else it has is left out', async () => {
  const { args, written, warnings } = await argumentsFor({
    ...box,
    only: ['a'],
    others: () => Promise.reject(new Error('it is gone')),
  });
  expect([args, written, warnings]).toEqual([[], [], ['the tool server "box" is left out: it is gone']]);
});
