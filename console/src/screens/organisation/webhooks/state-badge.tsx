import { Badge, type Tone } from '../../../ui/badge';
import type { IconName } from '../../../ui/icon';
import type { EndpointState } from './endpoint-state';
import { listWords } from './words';

const LOOKS: Record<EndpointState, readonly [Tone | undefined, IconName]> = {
  failing: ['bad', 'alert'],
  off: ['warn', 'pause'],
  working: ['good', 'check'],
  quiet: [undefined, 'clock'],
};

/** What an endpoint does. */
export function StateBadge({ state }: { state: EndpointState }) {
  const [tone, icon] = LOOKS[state];
  return (
    <Badge {...(tone && { tone })} icon={icon}>
      {listWords.stateBadges[state]}
    </Badge>
  );
}
