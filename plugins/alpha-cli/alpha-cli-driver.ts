import { basename } from 'node:path';
import type {
  Call,
  ChatEvent,
  ChatRequest,
  CheckResult,
  Diagnosis,
  Driver,
  DriverContext,
  DriverFailure,
} from 'drivebay/plugin';
import { isSubstitute, resolveBinary } from './binary';
import { probeCapabilities, type Probe } from './capabilities';
import { findClashes } from './command-line';
import { diagnose } from './diagnose';
import { EventReader } from './event-reader';
import { explainEnd } from './explain-end';
import { explainFailure } from './explain-failure';
import { billingOf, capabilityMetadata, paysUnasked } from './metadata';
import type { Options } from './options';
import { planRun, startRun, type Run, type RunPlan } from './run';
import { SystemPromptFiles } from './system-prompt-files';
import { noteSilence } from '../_shared/cli/note-silence';
import { untilAborted } from '../_shared/until-aborted';
import { missingFlags, rootWarning, stderrWarnings } from './warnings';

const SILENT =
  'it may wait for an answer that nobody gives (log in by hand; with an old version, set permission_mode: ""), or for its API';

/** Runs Claude Code in print mode, one process per chat. */
export class AlphaCliDriver implements Driver {
  /** By the path of the program: another program may know other flags. */
  private readonly probes = new Map<string, Promise<Probe>>();
  private readonly said = new Set<string>();
  private readonly systemPrompts = new SystemPromptFiles();
  private readonly rootWarning: string | undefined;
  private lastInit: EventReader['init'];

  constructor(private readonly context: DriverContext<Options>) {
    const { extra_args: extraArgs, permission_mode: permissionMode } = context.options;
    findClashes(extraArgs).forEach((clash) => this.warnOnce(clash));
    this.rootWarning = rootWarning(permissionMode, process.env, process.getuid?.());
    if (this.rootWarning !== undefined) this.warnOnce(this.rootWarning);
  }

  async *chat(request: ChatRequest, call: Call): AsyncGenerator<ChatEvent, void, undefined> {
    const plan = planRun(this.context, request, call);
    const ignored = this.context.ignoredFields(request, ['max_tokens']);
    if (ignored.length > 0) yield { type: 'meta', ignored };
    const run = await this.start(request, call, plan);
    const reader = new EventReader({
      endsAtLimit: request.maxTokens !== undefined && !plan.hasTools,
      refusesRestart: !call.workspace,
      deadline: call.deadline,
    });
    let isSilent = true;
    try {
      let noise: string | undefined;
      for await (const { text, json } of run.program.jsonLines()) {
        isSilent = false;
        if (json === undefined) noise ??= text;
        const events = reader.read(json);
        this.lastInit = reader.init ?? this.lastInit;
        for (const event of events) yield event;
        if (reader.outcome) break;
      }
      const { outcome } = reader;
      if (outcome?.type !== 'answer') throw await this.explain(run, reader, noise);
      if (outcome.isEarly) void run.program.stop();
      if (outcome.usage) yield outcome.usage;
      yield { type: 'finish', reason: outcome.reason };
      this.noteEnd(run, reader, call);
    } finally {
      if (isSilent) noteSilence(call, run.name, SILENT);
      run.release();
    }
  }

  async check(): Promise<CheckResult> {
    const binary = await resolveBinary(this.context);
    return {
      detail: `${binary}, billing: ${this.billing}`,
      ...(this.rootWarning !== undefined && { warnings: [this.rootWarning] }),
    };
  }

  async metadata(): Promise<Record<string, string>> {
    const { options } = this.context;
    const binary = await resolveBinary(this.context);
    const { capabilities } = await this.probe(binary);
    return {
      resolved_bin: binary,
      permission_mode: options.permission_mode,
      ...capabilityMetadata(capabilities),
      billing: this.billing,
      ...(this.lastInit?.version !== undefined && { version: this.lastInit.version }),
    };
  }

  diagnose(call: Call): AsyncIterable<Diagnosis> {
    return diagnose(this.context, call);
  }

  close(): Promise<void> {
    this.systemPrompts.close();
    return Promise.resolve();
  }

  /** Which purse pays, as far as it is known. */
  private get billing(): string {
    return billingOf(this.context.options, this.lastInit?.keySource, process.env);
  }

  private async start(request: ChatRequest, call: Call, plan: RunPlan): Promise<Run> {
    const { options } = this.context;
    const binary = await resolveBinary(this.context);
    if (isSubstitute(binary, options)) this.warnOnce(`${options.command} was not found: ${binary} runs in its place`);
    call.trace('alpha_cli.resolve', { resolved_bin: binary, permission_mode: options.permission_mode });
    const probe = await untilAborted(this.probe(binary), call.signal);
    call.trace('alpha_cli.capabilities', capabilityMetadata(probe.capabilities));
    const needs = {
      permissionMode: options.permission_mode,
      hasSkills: (call.workspace?.skills.length ?? 0) > 0,
      hasTools: plan.hasTools,
    };
    missingFlags(probe, needs, basename(binary)).forEach((warning) => this.warnOnce(warning));
    const { systemPrompts } = this;
    return startRun(this.context, { request, call, plan, binary, can: probe.capabilities, systemPrompts });
  }

  /** Asks a program once, however many chats wait for it. */
  private probe(binary: string): Promise<Probe> {
    const known = this.probes.get(binary) ?? probeCapabilities(this.context, binary);
    this.probes.set(binary, known);
    return known;
  }

  private async explain(run: Run, reader: EventReader, noise: string | undefined): Promise<DriverFailure> {
    const { name, plan, program } = run;
    const { outcome, report } = reader;
    const sideEffects = plan.hasTools && reader.usedTools;
    const parts = { report, name, model: plan.model, keyName: plan.key?.name, sideEffects };
    switch (outcome?.type) {
      case 'failure':
        if (outcome.isEarly) void program.stop();
        return explainFailure(this.context, { ...parts, report: outcome.report });
      case 'restarted': {
        void program.stop();
        const message = `${name} began its answer anew after a part of it had been passed on`;
        return this.context.error('upstream', message, { kind: 'truncated', sideEffects });
      }
      default: {
        const failure = await program.error();
        return explainEnd(this.context, { ...parts, failure, stderr: program.stderr, noise });
      }
    }
  }

  /** What deserves attention after a run that went well. */
  private noteEnd({ name, program }: Run, { init, denied }: EventReader, { log }: Call): void {
    stderrWarnings(program.stderr).forEach((line) => log.warn(`${name}: ${line}`));
    if (denied.length > 0) {
      const tools = [...new Set(denied)].join(', ');
      log.warn(`${name} was not allowed to use ${tools}: permission_mode decides what it may do`);
    }
    if (paysUnasked(this.context.options, init?.keySource)) {
      this.warnOnce(`${name} pays with a key from its own settings (${init?.keySource}), not with a subscription`);
    }
  }

  private warnOnce(message: string): void {
    if (this.said.has(message)) return;
    this.said.add(message);
    this.context.log.warn(message);
  }
}
