import { Badge, type Tone } from '../../../ui/badge';
import type { IconName } from '../../../ui/icon';
import type { State } from './lights';
import { words } from './words';

const LOOKS: Record<State, readonly [Tone, IconName]> = {
  OK: ['good', 'check'],
  WARN: ['warn', 'info'],
  BAD: ['bad', 'alert'],
};

/** How a light is, in words, with a sign and a colour. */
export function StateBadge({ state }: { state: State }) {
  const [tone, icon] = LOOKS[state];
  return (
    <Badge tone={tone} icon={icon}>
      {words.states[state]}
    </Badge>
  );
}
