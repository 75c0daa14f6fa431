import type { Command } from 'commander';
import { addCommand, addGroup, choiceOption, collect, NO_PROJECT } from '../command-options';
import { addServeOptions } from '../serve/serve-options';

export function addMcpCommands(program: Command): void {
  const mcp = addGroup(
    program,
    'mcp',
    'set up tool servers for agents, and serve your models as tools to other programs',
  );
  // Clients are set up with this line, so it must not depend on a second word.
  mcp.action(async () => (await import('./mcp-serve')).mcpServePlain(mcp));
  const list = 'list the tool servers of mcp.json, yours and those of the project';
  addCommand(mcp, 'list', list, async () => (await import('./mcp-list')).mcpList)
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);
  const check = 'start each tool server, or one, and list its tools; exit code 1 if one fails';
  addCommand(mcp, 'check [server]', check, async () => (await import('./mcp-check')).mcpCheck)
    .option('--json', 'print JSON')
    .option('--no-project', NO_PROJECT);
  const edit = () => import('./mcp-edit');
  const add = 'add a tool server to your own mcp.json: its command behind --, or its --url';
  const same = (text: string) => text;
  addCommand(mcp, 'add <name> [command...]', add, async () => (await edit()).mcpAdd)
    .option('--url <url>', 'the address of a server reached over HTTP')
    .addOption(choiceOption('--type <type>', 'the transport of the address; default: try both', ['http', 'sse'], ''))
    .option(
      '--env <name=value>',
      'a variable for the server; ${NAME} stands for one of yours (repeatable)',
      collect(same),
    )
    .option('--header <name:value>', 'a header for the server (repeatable)', collect(same))
    .option('--project', 'write .drivebay/mcp.json of the project instead')
    .option('--json', 'print JSON');
  const remove = 'remove a tool server from your own mcp.json';
  addCommand(mcp, 'remove <server>', remove, async () => (await edit()).mcpRemove)
    .option('--project', 'from .drivebay/mcp.json of the project instead')
    .option('--json', 'print JSON');
  const serve = 'run an MCP server on stdin and stdout, or with --http at a gateway';
  addServeOptions(addCommand(mcp, 'serve', serve, async () => (await import('./mcp-serve')).mcpServe))
    .option('--http', 'open a gateway that serves MCP at /mcp, too; it needs --api-key-env or clients')
    .option(
      '--root <folder>',
      'a folder whose files a client may send if it names no folders itself (repeatable)',
      collect(String),
    );
}
