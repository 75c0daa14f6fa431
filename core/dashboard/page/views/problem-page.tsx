import { Hint } from '../parts/command';

export function ProblemPage({ message, hint }: { message: string; hint?: string }) {
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
