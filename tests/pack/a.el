(defun shop-total (basket)
  "Total."
  (+ 1 2))
