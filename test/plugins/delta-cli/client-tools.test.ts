import type { ChatRequest } from 'drivebay/plugin';
import { DriverError } from '../../../core/contract/driver-error';
import { clientTools } from '../../../plugins/delta-cli/client-tools';
import { chatRequest } from '../harness';
import { start } from './harness';

const error = (...parts: ConstructorParameters<typeof DriverError>) => new DriverError(...parts);
const toolsOf = (request: Partial<ChatRequest>) => clientTools(chatRequest(request), { error });

test.each(['mcp', 'mcp__github__search', 'exec_command', 'shell_command', 'a.b c'])(
  'the tool %s has another name in the program, and its own one for the client',
  (name) => {
    const { tools, names } = toolsOf({ tools: [{ name }] });
    const given = tools[0]!.name;
    expect(given).toMatch(/^(?!mcp__|mcp$|exec_command$|shell_command$)[\w-]{1,64}$/);
    expect(names?.restore({ type: 'tool_call', index: 0, name: given })).toMatchObject({ name });
  },
);

test.each(['exec', 'shell', 'apply_patch', 'mcp_x', 'exec_command_2', 'a'.repeat(64)])(
  'the tool %s keeps its name',
  (name) => {
    expect(toolsOf({ tools: [{ name }] }).tools).toMatchObject([{ name }]);
  },
);

test.each([{ type: 'required' }, { type: 'tool', name: 'f' }] as const)(
  '%j is refused before any program starts',
  async (toolChoice) => {
    const harness = await start({ warm: true });
    try {
      expect(await harness.failure({ tools: [{ name: 'f' }], toolChoice })).toMatchObject({
        ...{ code: 'invalid_request', param: 'tool_choice', message: expect.stringContaining('auto or none') },
      });
      expect(harness.cli.runs).toEqual([]);
    } finally {
      await harness.driver.close();
      await harness.close();
    }
  },
);
