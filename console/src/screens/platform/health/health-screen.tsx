import { PlatformFrame } from '../platform-frame';
import { platformWords } from '../words';

const title = platformWords.screens.health;

export const HealthScreen = () => (
  <PlatformFrame title={title}>
    <p>{title}</p>
  </PlatformFrame>
);
