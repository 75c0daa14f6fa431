import { unknownProvider } from '../../config/did-you-mean';
import { explainPrefix } from '../../config/explain-prefix';
import { DaemonGoneError } from '../../daemon/client/control-client';
import type { ProjectInfo, ProjectRef } from '../../daemon/control/protocol';
import { UsageError } from '../../errors';
import { parseName } from '../command-options';
import { daemonWith, type OpenedDaemon, projectRef, sayUnconfigured } from '../daemon/project-at-daemon';
import { EXIT, exitCodeOf } from '../exit-codes';
import { reportError } from '../report-error';
import { LineLoop } from '../terminal/line-loop';
import { printNote, printWarnings } from '../terminal/print';
import { onSignal, untilInterrupted } from '../terminal/signals';
import { ChatAnswer } from './chat-answer';
import { CHAT_HELP, LEAVING, runChatCommand } from './chat-commands';
import { Conversation } from './conversation';
import { MessageReader, PROMPTS } from './message-reader';
import { saveChat } from './save-chat';

interface ChatOptions {
  provider?: string;
  model?: string;
  system?: string;
  project: boolean;
}

/** `chat`: a conversation with a model, on a terminal or from a pipe. Nothing of it is kept but the typed lines of a terminal. */
export async function chat(options: ChatOptions): Promise<void> {
  const ref = projectRef(options);
  const asked = ({ defaultProvider }: ProjectInfo) => [options.provider || defaultProvider];
  const open = () => untilInterrupted(daemonWith(ref, options.provider, asked));
  const daemon = await open();
  const { provider, model, system } = options;
  const names = daemon.project.providers.map(({ name }) => name);
  if (provider && !names.includes(provider)) throw unknownProvider(provider, names);
  if (!provider && daemon.project.files.length > 0 && daemon.project.defaultProvider === null)
    printNote(noDefault(names));
  if (model && !provider) printWarnings(explainPrefix(model, names));
  await new Chat(new Conversation(provider || undefined, model || undefined, system || undefined), {
    ref,
    daemon,
    open,
  }).run();
}

function noDefault(names: readonly string[]): string {
  const hint =
    names.length > 0
      ? `use --provider NAME, or set default_provider in providers.yaml (providers: ${names.join(', ')})`
      : 'add a provider to providers.yaml, and set default_provider';
  return `warning: there is no default_provider, so the built-in provider answers; ${hint}`;
}

class Chat extends LineLoop {
  private readonly reader: MessageReader;
  private readonly saved = new Set<string>();
  private isLost = false;
  private isWarned = false;

  constructor(
    private readonly conversation: Conversation,
    private readonly parts: { ref: ProjectRef; daemon: OpenedDaemon; open: () => Promise<OpenedDaemon> },
  ) {
    const greeting = `${conversation.describe(parts.daemon.project)} · /help shows the commands, Ctrl-D leaves`;
    super({ prompt: PROMPTS.first, history: 'chat_history', greeting });
    const { stdin: keys, stdout: screen } = process;
    this.reader = new MessageReader(this.lines, this.isTerminal ? { keys, screen } : undefined);
    // Readline takes Ctrl-C from a terminal; this one was sent by a program.
    onSignal((signal) => !this.isBusy && this.leave(exitCodeOf(signal)), ['SIGINT']);
  }

  protected override inputs(): AsyncIterable<string> {
    return this.reader;
  }

  protected async work(text: string): Promise<void> {
    this.isWarned = false;
    try {
      if (!this.command(text)) process.exitCode = await this.answer(text);
    } catch (error) {
      this.isLost ||= error instanceof DaemonGoneError;
      process.exitCode = reportError(error);
    }
  }

  /** The second time on an empty line it leaves. */
  protected interruptIdle(isTyping: boolean): void {
    const isMessage = isTyping || this.reader.isInside;
    this.reader.drop();
    if (isMessage) return this.clearLine();
    if (this.isWarned) return this.leave(EXIT.ok);
    this.isWarned = true;
    this.clearLine('Ctrl-C again leaves, and so do Ctrl-D and /exit');
  }

  private async answer(text: string): Promise<number> {
    // A daemon that has ended since starts again.
    if (this.isLost) this.parts.daemon = await this.parts.open();
    this.isLost = false;
    const { ref, daemon } = this.parts;
    const { provider, model } = this.conversation;
    const answer = new ChatAnswer(daemon.client);
    const body = { project: ref, provider, model, messages: this.conversation.asking(text) };
    try {
      const code = await answer.complete('/v1/chat', body);
      if (code === EXIT.failure) await sayUnconfigured(daemon.project);
      return code;
    } finally {
      this.conversation.keep(text, answer.text);
    }
  }

  private command(text: string): boolean {
    // From a pipe, each line is a message.
    if (this.isTerminal && LEAVING.test(text)) return (this.isOver = true);
    const { conversation: chat } = this;
    const { project } = this.parts.daemon;
    return runChatCommand(text, {
      model: (name) => {
        if (name !== '') chat.choose(parseName('/model')(name), project);
        printNote(chat.describe(project));
        if (name === '')
          printNote(
            `providers: ${project.providers.map((each) => each.name).join(', ')}; their models: drivebay models`,
          );
      },
      system: (words) => {
        if (words !== '') chat.system = words === 'none' ? undefined : words;
        printNote(chat.system === undefined ? 'there is no system prompt' : `system prompt: ${chat.system}`);
      },
      save: (file) => {
        if (file === '') throw new UsageError('the name of the file is missing', '/save FILE');
        const { defaultProvider } = project;
        const path = saveChat(chat, file, { defaultProvider, mayReplace: (each) => this.saved.has(each) });
        this.saved.add(path);
        printNote(`written: ${path}`);
      },
      new: () => {
        chat.clear();
        printNote('the conversation starts over');
      },
      help: () => CHAT_HELP.split('\n').forEach(printNote),
      exit: () => void (this.isOver = true),
    });
  }
}
