// The match page. The server draws everything; htmx swaps it in. Every word comes from the page.
// What is here is what a page must do by itself: choosing, keys, the clocks between two views, the
// connection.

import "./bid.js";
import "./choice.js";
import "./dialogs.js";
import "./keys.js";
import "./line.js";
import "./veil.js";
import { scrollLog, update } from "./views.js";

scrollLog();
update();
