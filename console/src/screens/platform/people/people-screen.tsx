import { PlatformFrame } from '../platform-frame';
import { platformWords } from '../words';

const title = platformWords.screens.people;

export const PeopleScreen = () => (
  <PlatformFrame title={title}>
    <p>{title}</p>
  </PlatformFrame>
);
