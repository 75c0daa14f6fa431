import { messageOf } from '../errors';
import type { ChatRequest, Message, ToolCallPart } from '../contract/api';
import type { Device, LlmDevice } from '../devices/device';
import type { ProcessRun } from './process-run';

/** The tool calls of one answer, and the rules for them. */
export interface ToolRound {
  run: ProcessRun;
  /** The step that made them. */
  step: number;
  calls: ToolCallPart[];
  find(tool: string): Device | undefined;
  /** Returns why a device may not be used. */
  refuse(device: Device): string | undefined;
  /** The names for a model that called a tool that does not exist. */
  offered: string[];
  /** Asks another model; `call` is the id of the tool call in the record. */
  chat(device: LlmDevice, request: ChatRequest, call: string): Promise<string>;
}

/** Runs the tool calls of one answer side by side. A failure of a call is its answer to the model. */
export function runTools(round: ToolRound): Promise<Message[]> {
  return Promise.all(round.calls.map((call) => runTool(round, call)));
}

async function runTool(round: ToolRound, call: ToolCallPart): Promise<Message> {
  const { run, step } = round;
  const { name: tool, arguments: text } = call;
  const id = run.nextCall();
  const device = round.find(tool);
  const refused = device ? round.refuse(device) : `there is no tool "${tool}"${listOf(round.offered)}`;
  run.add({ type: 'tool_call', step, id, tool, arguments: text, device: device?.path, refused });
  const startedAt = Date.now();
  let result: { text: string; isError: boolean };
  try {
    if (!device || refused !== undefined) throw new Error(`refused: ${refused}`);
    const chat = (asked: LlmDevice, request: ChatRequest) => round.chat(asked, request, id);
    result = { text: await device.call(parseArguments(text), { chat }), isError: false };
  } catch (error) {
    // The process is ending, so no model waits for the answer.
    if (run.signal.aborted) throw error;
    result = { text: `error: ${messageOf(error)}`, isError: true };
  }
  run.add({ type: 'tool_result', step, id, ...result, ms: Date.now() - startedAt });
  return {
    role: 'tool',
    parts: [{ type: 'tool_result', callId: call.id, content: [{ type: 'text', text: result.text }] }],
  };
}

function listOf(names: string[]): string {
  return names.length > 0 ? `, only ${names.join(', ')}` : ', there is none';
}

/** Models leave the arguments of a function without parameters empty. */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`the arguments are not JSON: ${messageOf(error)}`, { cause: error });
  }
}
