import { Hint } from '../parts/command';

/** Takes the place of a view that cannot be shown. */
export function Problem({ message, hint }: { message: string; hint?: string | undefined }) {
  return (
    <div class="problem" role="alert">
      <h1>{message}</h1>
      {hint !== undefined && (
        <p>
          <Hint>{hint}</Hint>
        </p>
      )}
      <p>
        <a href="#/">Overview</a>
      </p>
    </div>
  );
}
