import json

import pytest

from situ.report.page_data import script_json


@pytest.mark.parametrize("name", ["<!--<script>", "</script><b>", "<![CDATA[", "a < b", "\u2028", 'q"uote\\'])
def test_no_name_leaves_the_element_that_holds_it(name) -> None:
    text = script_json({"label": name})
    assert "<" not in text
    assert json.loads(text) == {"label": name}
