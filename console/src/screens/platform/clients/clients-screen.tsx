import { PlatformFrame } from '../platform-frame';
import { platformWords } from '../words';

const title = platformWords.screens.clients;

export const ClientsScreen = () => (
  <PlatformFrame title={title}>
    <p>{title}</p>
  </PlatformFrame>
);
