import type { ChatRequest, Message } from '../contract/api';
import { defined } from '../fields';
import { maySwitchProvider } from '../contract/failure-policy';
import type { LlmDevice } from '../devices/device';
import { withoutSignatures } from './answer-message';
import { Conversation } from './conversation';
import { joinUserMessages } from './earlier-process';
import { bothFailed, StepFailed } from './failures';
import type { Plan } from './plan';
import type { ModelChoice } from './resolve-models';
import type { ProcessRun } from './process-run';
import type { LoadedSkill } from './skills';
import type { StepAnswer } from './step';

/** The work of a process: a conversation. When its provider fails, the fallback provider continues it. */
export async function work(run: ProcessRun, plan: Plan): Promise<StepAnswer> {
  const opening = openingFor(plan, plan.primary);
  const conversation = converse(run, plan, plan.primary, opening);
  try {
    return await conversation.complete();
  } catch (error) {
    const { fallback } = plan;
    if (!(error instanceof StepFailed) || run.signal.aborted || !fallback) throw error;
    if (error.hasBegun || !maySwitchProvider(error.failure)) throw error;
    // Two agents must not work in one folder at the same time.
    await run.programsEnded();
    run.signal.throwIfAborted();
    const { name: to, driver, driverAlias, driverKind } = fallback.device;
    const { message: reason } = error.failure;
    run.add({ type: 'fallback', from: plan.primary.device.name, to, reason, driver, driverAlias, driverKind });
    const since = withoutSignatures(conversation.messages.slice(opening.length));
    try {
      return await converse(run, plan, fallback, [...openingFor(plan, fallback), ...since]).complete();
    } catch (second) {
      throw second instanceof StepFailed ? bothFailed(error, second) : second;
    }
  }
}

function converse(
  run: ProcessRun,
  plan: Plan,
  { device, model, effort }: ModelChoice,
  messages: Message[],
): Conversation {
  const request: ChatRequest = { stream: true, messages: [...messages], extra: {}, model, reasoningEffort: effort };
  return new Conversation(run, plan.tools, device, defined(request), { depth: 0 });
}

function openingFor({ origin, instructions, skills, history }: Plan, { device }: ModelChoice): Message[] {
  const texts = device.capabilities.skillFolders ? [] : skills.map((skill) => skillText(skill, device));
  const system = [instructions.trim(), ...texts].filter((text) => text !== '').join('\n\n');
  const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
  const spoken = joinUserMessages([...history, say('user', origin.intent)]);
  return [...(system === '' ? [] : [say('system', system)]), ...spoken];
}

/** An agent CLI can read the files beside the SKILL.md. A model behind an API cannot use a path of this machine. */
function skillText({ name, directory, text }: LoadedSkill, { driverKind }: LlmDevice): string {
  const place = driverKind === 'cli' ? [`The files of this skill are in ${directory}`] : [];
  return [`# Skill: ${name}`, ...place, text.trim()].join('\n\n');
}
