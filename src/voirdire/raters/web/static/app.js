// What a page does beyond plain forms. Without it every form works as it is.

import "./downloading.js";
import { dropOldDrafts } from "./drafts.js";
import { offerKeys } from "./keys.js";
import { offerSearch } from "./finding.js";
import { arrive, beginInText } from "./looking.js";
import "./marking.js";
import "./sending.js";
import "./spans.js";

offerKeys();
dropOldDrafts();
arrive();
offerSearch();
beginInText();
