import type { IncomingMessage } from 'node:http';
import { capabilitiesOf, type ModelEntry, type ModelsForm } from '../../models-form';
import { modelsForm as plainForm } from '../chat-completions/models-form';

/**
 * In place of a prompt that was written for models of one vendor. It names what every model has to know to work in a
 * terminal for a user.
 */
const INSTRUCTIONS = `You are a coding agent in a user's terminal. You work on the files of the current folder with your tools.

- Do the task to its end: look at the files, change them, run the tests or the program, and mend what fails.
- Look before you write: read a file, and search for what exists, before you change it. Keep to the style of the code around.
- Run programs with the tool for commands. Read its output and the exit code. Never invent an output.
- Change files by small edits. In a shell, apply_patch takes a patch on its standard input.
- Never remove what you did not make, and never undo changes of the user, unless the user asks for it.
- Call a tool only with arguments that fit its description. Several calls may be made at once.
- Say in few words what you do, and at the end what you changed and how you checked it.`;

/** How many bytes of the output of a tool the client keeps. */
const OUTPUT_BYTES = 10_000;

/** Only clients of this wire tell their version there. */
export function asksForCatalog({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
  return /[?&]client_version=/.test(url);
}

/** The usual list, with the catalog of models that agents of this wire read beside it. */
export const modelsForm: ModelsForm = {
  ...plainForm,
  list(entries, request) {
    const chats = entries.filter((entry) => capabilitiesOf(entry).includes('chat'));
    return { ...plainForm.list(entries, request), models: chats.map(toCatalog) };
  },
};

/** A catalog without one of these fields is refused as a whole. The window, where it is known, tells when to compact. */
function toCatalog(entry: ModelEntry, index: number) {
  const { id, device, model = device.defaultModel ?? '' } = entry;
  return {
    slug: id,
    display_name: id,
    description: `${device.driverAlias} by Drivebay`,
    supported_reasoning_levels: [],
    shell_type: 'unified_exec',
    visibility: 'list',
    supported_in_api: true,
    priority: index,
    base_instructions: INSTRUCTIONS,
    support_verbosity: false,
    truncation_policy: { mode: 'bytes', limit: OUTPUT_BYTES },
    supports_parallel_tool_calls: true,
    input_modalities: capabilitiesOf(entry).includes('images') ? ['text', 'image'] : ['text'],
    context_window: device.contextWindows.get(model),
    experimental_supported_tools: [],
  };
}
