import { AgentHome } from '../../setup/agent-home';
import { TempHome } from '../../setup/temp-home';
import { inTerminal, Terminal } from '../../setup/terminal';

const home = new TempHome();
const COLOUR = /\x1b\[\d+m/;

const COMMANDS = ['doctor', 'plugins list'];

const NONE: Record<string, string>[] = [{ NO_COLOR: '1' }, { NO_COLOR: '', TERM: 'dumb' }];

const inHome = (more: Record<string, string>) => ({
  environment: (own: Record<string, string>) => home.environment({ ...own, ...more }),
});

inTerminal.each(NONE)('with %j no command colours', async (variables) => {
  for (const words of COMMANDS) {
    const terminal = new Terminal(inHome(variables), words.split(' '));
    await terminal.end();
    expect([words, COLOUR.exec(terminal.stdout)]).toEqual([words, null]);
  }
});

inTerminal('a terminal has colours, also where NO_COLOR is empty', async () => {
  const terminal = new Terminal(inHome({ NO_COLOR: '' }), ['doctor']);
  await terminal.end();
  expect(terminal.stdout).toMatch(COLOUR);
});

inTerminal('a chat asks a dumb terminal for nothing', async () => {
  const agents = new AgentHome();
  const environment = (own: Record<string, string>) => agents.environment({ ...own, TERM: 'dumb' });
  const terminal = new Terminal({ environment }, ['chat']);
  await terminal.until(/you> /);
  expect((await terminal.type('/exit\r').end()).stdout).not.toContain('\x1b');
});
