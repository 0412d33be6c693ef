import { t } from '../../messages/text';
import { Screen } from '../../ui/screen';

export const CatalogueScreen = () => <Screen title={t.catalogue.title}>{null}</Screen>;
