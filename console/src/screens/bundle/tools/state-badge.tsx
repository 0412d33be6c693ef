import type { BundleToolState } from '../../../api/schema';
import { Badge, type Tone } from '../../../ui/badge';
import type { IconName } from '../../../ui/icon';
import { bundleWords } from '../words';

const words = bundleWords.tool;

const LOOK: Record<BundleToolState, readonly [Tone | undefined, IconName]> = {
  LISTED: ['good', 'check'],
  CHANGED: ['warn', 'alert'],
  NEW: ['accent', 'plus'],
  HIDDEN: [undefined, 'close'],
  GONE: ['bad', 'close'],
};

/** Whether clients get a tool. */
export function StateBadge({ state }: { state: BundleToolState }) {
  const [tone, icon] = LOOK[state];
  return (
    <span title={words.stateHelp[state]}>
      <Badge tone={tone} icon={icon}>
        {words.states[state]}
      </Badge>
    </span>
  );
}
