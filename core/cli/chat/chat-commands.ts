import { didYouMean } from '../../config/did-you-mean';
import { UsageError } from '../../errors';

/** What the commands of a chat do. */
interface ChatActions {
  model(name: string): void;
  system(text: string): void;
  save(file: string): void;
  new: () => void;
  help(): void;
  exit(): void;
}

export const CHAT_HELP = `/model [NAME]   show or choose who answers: a provider, PROVIDER:MODEL, or a model
/system [TEXT]  show or set the system prompt; "/system none" removes it
/save FILE      write the conversation: Markdown, or the body of a request for a name that ends with .json
/new            forget the conversation
/exit           leave; so do exit, quit and Ctrl-D
A line that ends with \\ continues on the next line; a pasted text is one message. Ctrl-C ends an answer.`;

/** As other programs call them. */
const OTHER_NAMES: ReadonlyMap<string, keyof ChatActions> = new Map([
  ['clear', 'new'],
  ['reset', 'new'],
  ['quit', 'exit'],
  ['bye', 'exit'],
  ['provider', 'model'],
  ['use', 'model'],
]);

const COMMAND = /^\/([a-z]+)(?:\s+([^]*))?$/;

/** What leaves other programs. Typed alone it is a habit, and no message. */
export const LEAVING = /^(exit|quit)$/i;

/** Runs a text that is a command. False for a message, such as one that begins with a path. */
export function runChatCommand(text: string, actions: ChatActions): boolean {
  const [, name, rest = ''] = COMMAND.exec(text) ?? [];
  if (name === undefined) return false;
  const names = Object.keys(actions) as (keyof ChatActions)[];
  const known = names.find((each) => each === name);
  if (!known) {
    const near = OTHER_NAMES.get(name) ?? didYouMean(name, names);
    const hint =
      near === undefined ? `commands: ${names.map((each) => `/${each}`).join(', ')}.` : `did you mean /${near}?`;
    throw new UsageError(`there is no command /${name}`, `${hint} To send the line to the model, put a word before it`);
  }
  actions[known](rest.trim());
  return true;
}
