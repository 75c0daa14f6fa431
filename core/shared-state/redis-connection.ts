import { createClient } from '@redis/client';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/** A sum of all machines, after an addition. */
export interface SharedSum {
  sum: number;
  /** The rest of its period, in ms. */
  leftMs: number;
}

/** What one machine has added to a sum: its name, and the amount. */
export type Part = [name: string, amount: number];

const PREFIX = 'drivebay';
const CONNECT_MS = 5_000;
/** How long requests that need the server wait for the first connection. */
const FIRST_MS = 2_000;
/** The connection is replaced when no byte has come for this long. */
const SILENCE_MS = 5_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Adds as the library does. An amount that is taken back after its period has ended does not count against the next one, so no
 * sum is below zero.
 */
const ADD = `
  redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local sum = redis.call('incrby', KEYS[1], ARGV[1])
  if sum < 0 then sum = redis.call('incrby', KEYS[1], -sum) end
  local ttl = redis.call('pttl', KEYS[1])
  if ttl == -1 then
    redis.call('expire', KEYS[1], ARGV[2])
    ttl = 1000 * ARGV[2]
  end
  return {sum, ttl}`;

/** Keeps the larger value of each part, and answers with all parts. */
const MERGE = `
  for at = 2, #ARGV, 2 do
    local known = tonumber(redis.call('hget', KEYS[1], ARGV[at]) or 0)
    if not known or tonumber(ARGV[at + 1]) > known then redis.call('hset', KEYS[1], ARGV[at], ARGV[at + 1]) end
  end
  redis.call('expire', KEYS[1], ARGV[1])
  return redis.call('hgetall', KEYS[1])`;

/** Sets the part of a machine, or takes it out, and adds up those of the others. Parts that are too old end, by the clock of the server. */
const HOLD = `
  local machine, amount, seconds = unpack(ARGV)
  local now = redis.call('time')[1]
  if amount == '0' then redis.call('hdel', KEYS[1], machine)
  else redis.call('hset', KEYS[1], machine, amount .. ' ' .. string.format('%.0f', now + seconds)) end
  local others = 0
  local all = redis.call('hgetall', KEYS[1])
  for at = 1, #all, 2 do
    local part, ends = string.match(all[at + 1], '^(%d+) (%d+)$')
    if not ends or tonumber(ends) < tonumber(now) then redis.call('hdel', KEYS[1], all[at])
    elseif all[at] ~= machine then others = others + part end
  end
  redis.call('expire', KEYS[1], seconds)
  return string.format('%.0f', others)`;

/** A connection to Redis or Valkey that is made again and again. Commands are refused at once while there is none. */
export class RedisConnection {
  /** Settles after the first attempt. Never rejects. */
  readonly connected: Promise<void>;
  private readonly client;
  private readonly sums: RateLimiterRedis;

  constructor(url: string, lost: (error: unknown) => void) {
    this.client = createClient({
      url,
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        reconnectStrategy: (attempts: number) => Math.min(100 * (attempts + 1), LONGEST_PAUSE_MS),
      },
    });
    this.client.on('error', lost);
    this.connected = Promise.race([
      this.client.connect().then(() => undefined, lost),
      new Promise<void>((resolve) => setTimeout(resolve, FIRST_MS).unref()),
    ]);
    this.sums = new RateLimiterRedis({
      storeClient: this.client,
      keyPrefix: PREFIX,
      points: Number.MAX_SAFE_INTEGER,
      duration: 60,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      customIncrTtlLuaScript: ADD,
    });
  }

  get isReady(): boolean {
    return this.client.isReady;
  }

  async add(key: string, amount: number, seconds: number): Promise<SharedSum> {
    const { consumedPoints, msBeforeNext } = await this.sums.penalty(key, amount, { customDuration: seconds });
    return { sum: consumedPoints, leftMs: msBeforeNext };
  }

  /** One command, so that the last part that a machine has told is the last one that the server has. */
  async hold(key: string, machine: string, amount: number, seconds: number): Promise<number> {
    const words = [machine, String(amount), String(seconds)];
    return Number(await this.client.eval(HOLD, { keys: [`${PREFIX}:${key}`], arguments: words }));
  }

  /** Parts of a sum that only grow. */
  async merge(key: string, parts: readonly Part[], seconds: number): Promise<Part[]> {
    const words = [seconds, ...parts.flat()].map(String);
    const answer = (await this.client.eval(MERGE, { keys: [`${PREFIX}:${key}`], arguments: words })) as string[];
    return answer.flatMap((name, at) => (at % 2 ? [] : [[name, Number(answer[at + 1]) || 0] satisfies Part]));
  }

  /** Gives a sum that is not there its value: the server has forgotten it, or is new. */
  async begin(key: string, sum: number, ms: number): Promise<void> {
    const expiration = { type: 'PX', value: Math.max(1, Math.ceil(ms)) } as const;
    await this.client.set(`${PREFIX}:${key}`, String(sum), { condition: 'NX', expiration });
  }

  /** Rejects where the server takes no writes: a replica and a full server answer everything else. */
  async probe(): Promise<void> {
    await this.write('probe', '', 1_000);
  }

  read(keys: readonly string[]): Promise<(string | null)[]> {
    return this.client.mGet(keys.map((key) => `${PREFIX}:${key}`));
  }

  async write(key: string, value: string, ms: number): Promise<void> {
    await this.client.set(`${PREFIX}:${key}`, value, { expiration: { type: 'PX', value: Math.max(1, Math.ceil(ms)) } });
  }

  close(): void {
    this.client.destroy();
  }
}
