import type { ControlClient } from '../../daemon/client/control-client';
import type { ChatLine } from '../../daemon/control/chat-protocol';
import { Attachment } from '../agents/attachment';
import { EXIT } from '../exit-codes';
import { formatCost, formatCount, formatDuration } from '../terminal/format';
import { printAside, printNote } from '../terminal/print';

type End = Extract<ChatLine, { type: 'end' }>;

/** One answer of a chat. It goes to stdout as it comes; a line on stderr says what it used. */
export class ChatAnswer extends Attachment<ChatLine> {
  /** What was said so far. */
  text = '';
  private readonly startedAt = Date.now();
  private source: string[] = [];
  private doing = '';
  private used: End | undefined;
  private failure: Extract<ChatLine, { type: 'error' }> | undefined;

  constructor(client: ControlClient) {
    super(client, { json: false });
  }

  protected progress(): string[] {
    const parts = [this.source[0], this.doing, formatDuration(Date.now() - this.startedAt)];
    return [parts.filter(Boolean).join(' · ')];
  }

  /** The daemon ends the answer of a client that leaves. */
  protected stopPath(): undefined {
    return undefined;
  }

  protected async take(line: ChatLine): Promise<void> {
    if (line.type === 'start') this.source = [line.provider, line.model ?? ''];
    else if (line.type === 'reasoning') this.doing = 'thinks';
    else if (line.type === 'end') this.used = line;
    else if (line.type === 'error') this.failure = line;
    else if (line.type === 'text') {
      this.text += line.text;
      this.live.hide();
      await this.output.write(line.text);
    }
  }

  protected conclude(): number | undefined {
    const { failure, used } = this;
    if (failure) {
      printNote(`error: provider "${this.source[0]}": ${failure.message}`);
      if (failure.hint !== undefined) printNote(`  ${failure.hint}`);
      return EXIT.failure;
    }
    if (!used) return undefined;
    printAside(describeUsage(used, this.source));
    return EXIT.ok;
  }
}

function describeUsage({ ms, model, usage, costUsd = 0, nominalUsd }: End, [provider, asked]: string[]): string {
  const cached = usage?.cachedInputTokens ? ` (${formatCount(usage.cachedInputTokens)} cached)` : '';
  const tokens =
    usage && `${formatCount(usage.inputTokens)} tokens in${cached}, ${formatCount(usage.outputTokens)} out`;
  const source = [provider, asked || model].filter(Boolean).join(', ');
  return [source, formatDuration(ms), tokens, formatCost(costUsd, nominalUsd)].filter(Boolean).join(' · ');
}
