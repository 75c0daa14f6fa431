import { instruments } from '../../core/daemon/metrics/instruments';
import { prometheusName } from '../../core/daemon/metrics/prometheus-meter';
import { testGeneratedParts } from './generated-parts';
import { markdownTable } from './markdown-table';

testGeneratedParts('docs/observability.md', {
  instruments: () => {
    const rows = Object.entries(instruments).map(([name, { kind, unit, help, labels }]) => {
      const spelled = labels.map((label: string) => `\`${label.replaceAll('.', '_')}\``).join(', ');
      return [`\`${prometheusName(name, { kind, unit })}\``, kind, spelled, help];
    });
    return markdownTable(['metric', 'kind', 'labels', ''], rows);
  },
});
