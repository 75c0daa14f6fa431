import type { Command } from 'commander';
import { addCommand, addGroup, choiceOption, collect, NO_PROJECT } from '../command-options';
import { addServeOptions } from '../serve/serve-options';

export function addMcpCommands(program: Command): void {
  const mcp = addGroup(program, 'mcp', 'be a tool server of other programs, and set up those of agents');
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
    .option('--url <url>', 'the address of a server that is reached by HTTP')
    .addOption(
      choiceOption('--type <type>', 'how the address is reached; default: both are tried', ['http', 'sse'], ''),
    )
    .option(
      '--env <name=value>',
      'a variable for it; ${NAME} stands for one of yours; may be given more than once',
      collect(same),
    )
    .option('--header <name:value>', 'a header for it; may be given more than once', collect(same))
    .option('--project', 'write .drivebay/mcp.json of the project instead')
    .option('--json', 'print JSON');
  const remove = 'remove a tool server from your own mcp.json';
  addCommand(mcp, 'remove <server>', remove, async () => (await edit()).mcpRemove)
    .option('--project', 'from .drivebay/mcp.json of the project instead')
    .option('--json', 'print JSON');
  const serve = 'be an MCP server: on stdin and stdout, or with --http at a gateway';
  addServeOptions(addCommand(mcp, 'serve', serve, async () => (await import('./mcp-serve')).mcpServe))
    .option('--http', 'open a gateway that serves MCP at /mcp, too; it needs --api-key-env or clients')
    .option('--root <folder>', 'let clients that name no folders send files of this one (repeatable)', collect(String));
}
