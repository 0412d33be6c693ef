import { t } from '../../messages/text';
import { Screen } from '../../ui/screen';

export const BundleScreen = () => <Screen title={t.bundle.title}>{null}</Screen>;
