/** `provider:model`, as a client of the gateway would ask for it. */
export function modelName(provider: string, model?: string | null): string {
  return model === undefined || model === null ? provider : `${provider}:${model}`;
}
