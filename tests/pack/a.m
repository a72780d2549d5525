classdef Basket
  methods
    function t = total(self)
      t = 1;
    end
  end
end
