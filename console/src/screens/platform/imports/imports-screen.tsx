import { PlatformFrame } from '../platform-frame';
import { platformWords } from '../words';

const title = platformWords.screens.imports;

export const ImportsScreen = () => (
  <PlatformFrame title={title}>
    <p>{title}</p>
  </PlatformFrame>
);
