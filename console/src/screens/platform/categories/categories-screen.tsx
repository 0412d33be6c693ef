import { PlatformFrame } from '../platform-frame';
import { platformWords } from '../words';

const title = platformWords.screens.categories;

export const CategoriesScreen = () => (
  <PlatformFrame title={title}>
    <p>{title}</p>
  </PlatformFrame>
);
