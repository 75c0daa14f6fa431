export interface Signals {
  traces: boolean;
  metrics: boolean;
  /** Whether spans hold prompts and answers. */
  content: boolean;
  /** The variables that say where to. */
  endpoints: string[];
}

/** `true`, or the values of later conventions that name spans. Events are not sent. */
const WITH_CONTENT: ReadonlySet<string | undefined> = new Set(['true', 'span_only', 'span_and_event']);

/** What the standard variables of OpenTelemetry ask for. Looked at without the SDK, which is loaded only then. */
export function wantedSignals(environment: NodeJS.ProcessEnv): Signals {
  const isDisabled = environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  const isWanted = (signal: 'TRACES' | 'METRICS') =>
    !isDisabled &&
    environment[`OTEL_${signal}_EXPORTER`]?.trim() !== 'none' &&
    Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]);
  const endpoints = Object.keys(environment).filter((name) => /^OTEL_EXPORTER_OTLP_(\w+_)?ENDPOINT$/.test(name));
  const content = WITH_CONTENT.has(
    environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.trim().toLowerCase(),
  );
  return { traces: isWanted('TRACES'), metrics: isWanted('METRICS'), content, endpoints };
}

/** Programs that drivers start may speak OpenTelemetry, too, and must not send to where we send, nor see its key. */
export function ownVariables(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment).filter((name) => name.startsWith('OTEL_'));
}
