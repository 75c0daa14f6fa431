import { type DriverError, isDriverError } from '../../contract/driver-error';
import type { DeviceCall, LlmDevice } from '../../devices/device';
import { runLimited } from '../../gateway/clients/client-limits';
import type { GatewayClient } from '../../gateway/clients/gateway-client';
import { veil, withoutBudgets } from '../../gateway/clients/veil';
import { toHttpError } from '../../gateway/to-http-error';
import type { ClientAccount } from '../../limits/limit-book';
import { isRefusal, toFailedCall } from '../../providers/refusal';

export interface ClientParts {
  client: GatewayClient;
  /** Undefined where the client has no limits. */
  account: ClientAccount | undefined;
  /** Throws a DriverError for a model that the client may not ask this device for. */
  admit: (device: LlmDevice, model: string | undefined) => void;
  /** Counts a failure that is one of turning the client away. */
  note: (error: unknown) => void;
}

/** Stand-ins for targets of routes, whose names a client with a list of what is allowed does not learn. */
const unveiled = new WeakMap<LlmDevice, LlmDevice>();

/** A device as a client of the gateway may use it: each call counts as one of the client, and is booked in its name. */
export function deviceFor(device: LlmDevice, { client, account, admit, note }: ClientParts): LlmDevice {
  const isVeiled = client.isRestricted && device.route !== undefined;
  const chat: LlmDevice['chat'] = async (request, caller, emit) => {
    admit(device, request.model);
    caller.asker = { ...caller.asker, client: client.name } as DeviceCall['asker'];
    if (isVeiled) hideTargets(caller, device);
    try {
      const ask = () => device.chat(request, caller, emit);
      const result = account ? await runLimited(account, caller, ask) : await ask();
      return isVeiled ? { ...result, model: request.model } : result;
    } catch (error) {
      note(error);
      throw explain(error, device, isVeiled, request.model);
    }
  };
  return Object.create(device, { chat: { value: chat } }) as LlmDevice;
}

function hideTargets(caller: DeviceCall, route: LlmDevice): void {
  const { previous } = caller;
  const tell = caller.onTarget?.bind(caller);
  // What a driver logs and traces names its backend.
  caller.log = undefined;
  caller.trace = undefined;
  caller.previous = previous && (unveiled.get(previous) ?? previous);
  caller.onTarget = (target, _model, before) => {
    const shown = { name: route.name, driver: route.driver, driverAlias: route.driverAlias };
    const values = { ...shown, path: route.path, defaultModel: undefined, metadata: () => Promise.resolve({}) };
    const properties = Object.entries(values).map(([key, value]) => [key, { value }]);
    const veiled = Object.create(target, Object.fromEntries(properties) as PropertyDescriptorMap) as LlmDevice;
    unveiled.set(veiled, target);
    const attempts = before.map(({ kind }) => ({ provider: route.name, kind, message: `a target failed (${kind})` }));
    tell?.(veiled, undefined, attempts);
  };
}

/** A failure in words for the client. Its limits are failures, too: a process ends with the reason, and not with a fault of ours. */
function explain(error: unknown, device: LlmDevice, isVeiled: boolean, requested?: string): unknown {
  if (isRefusal(error)) return toFailedCall(error);
  if (!isDriverError(error)) return error;
  if (isVeiled) {
    const { failure = error } = veil(toHttpError(error, device), error, device, requested) as { failure?: DriverError };
    return failure;
  }
  return withoutBudgets(error);
}
