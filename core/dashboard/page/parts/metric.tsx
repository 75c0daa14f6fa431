import type { ComponentChildren } from 'preact';

/** A figure with its name. */
export function Metric({ label, children, note }: { label: string; children: ComponentChildren; note?: string }) {
  return (
    <div class="metric">
      <dt>{label}</dt>
      <dd>
        {children}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  );
}
