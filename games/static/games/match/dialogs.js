// Dialogs, and the buttons that open and close them.

import { byId } from "../page.js";
import { match } from "./match.js";

match.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) byId(opener.dataset.open).showModal();
  else if (event.target.closest("[data-dismiss]")) event.target.closest("dialog").close();
});
