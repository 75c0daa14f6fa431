import { useState } from 'preact/hooks';
import type { ModelsReport } from '../../../devices/describe-models';
import type { DashboardState, ProviderRow } from '../../protocol';
import { getJson } from '../api';
import { curlFor } from '../curl';
import { groupProviders } from '../group-providers';
import { Choice } from '../parts/choice';
import { Command } from '../parts/command';
import { Empty, Panel } from '../parts/panel';
import { TextView } from '../parts/text-view';
import { TrialFacts } from '../parts/trial-facts';
import { useAnswer } from '../use-answer';
import { useTrial } from '../use-trial';

/** Asks a provider one question, and shows what a client of the gateway would get. */
export function TryPage({ state }: { state: DashboardState }) {
  // A pattern is for the names that clients of a gateway send.
  const providers = groupProviders(state.providers).filter(({ name }) => !name.includes('*'));
  const [chosen, setChosen] = useState('');
  const [model, setModel] = useState('');
  const [prompt, setPrompt] = useState('');
  const { trial, ask, stop } = useTrial();
  const provider = providers.find((row) => keyOf(row) === chosen) ?? providers[0];
  const models = useModels(provider);
  if (!provider) return <Empty command="drivebay init">No provider is configured. To find some, run</Empty>;
  const request = { project: provider.project, provider: provider.name, model: model || undefined, prompt };
  const send = (event: Event) => {
    event.preventDefault();
    void ask(request);
  };
  const curl = curlFor(state, request, true);
  return (
    <>
      <h1 class="sr">Try a provider</h1>
      <Panel title="Question">
        <form class="question" onSubmit={send}>
          <div class="filters">
            <Choice
              label="Provider"
              value={keyOf(provider)}
              options={providers.map((row) => [keyOf(row), titleOf(row)])}
              onChange={setChosen}
            />
            <label>
              Model
              <input
                value={model}
                list="models"
                placeholder={provider.model ?? 'the default of the backend'}
                onInput={({ currentTarget }) => setModel(currentTarget.value)}
              />
              <datalist id="models">
                {models.map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </label>
          </div>
          <textarea
            aria-label="Question"
            rows={4}
            required
            value={prompt}
            onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
          <div class="filters">
            <button class="button" disabled={trial?.isRunning}>
              Ask
            </button>
            <button type="button" class="button" disabled={!trial?.isRunning} onClick={stop}>
              Stop
            </button>
          </div>
        </form>
      </Panel>
      {trial && (
        <>
          {trial.error && (
            <p class="note note-bad" role="alert">
              <strong>{trial.error.message}</strong> {trial.error.hint}
            </p>
          )}
          {trial.reasoning.length > 0 && (
            <Panel title="Reasoning">
              <TextView text={trial.reasoning} class="muted" live={false} />
            </Panel>
          )}
          <Panel title="Answer" aside={trial.isRunning || trial.end || trial.error ? undefined : 'stopped'}>
            {trial.answer.length > 0 ? (
              <TextView text={trial.answer} live={trial.isRunning} />
            ) : (
              <Empty>{trial.isRunning ? 'There is no text yet.' : 'There was no text.'}</Empty>
            )}
            <TrialFacts trial={trial} />
          </Panel>
        </>
      )}
      <Panel title="The same in a terminal">
        {curl === undefined ? (
          <Empty command="drivebay serve">No gateway is open for this project. To open one, run there</Empty>
        ) : (
          <p class="empty">
            <Command>{curl}</Command>
          </p>
        )}
      </Panel>
    </>
  );
}

/** The models to choose from; any other may be typed. */
function useModels(provider: ProviderRow | undefined): string[] {
  const { project = null, name } = provider ?? {};
  const where = new URLSearchParams({ provider: name ?? '', ...(project !== null && { project }) });
  const load = (signal: AbortSignal) => getJson<ModelsReport>(`models?${where}`, signal);
  const { answer } = useAnswer(load, [name, project]);
  return answer?.provider === name ? (answer?.models ?? []).map((model) => model.name) : [];
}

function keyOf({ project, name }: ProviderRow): string {
  return JSON.stringify([project, name]);
}

function titleOf({ project, name, status }: ProviderRow): string {
  return [name, project, status === 'offline' && 'offline'].filter(Boolean).join(' · ');
}
